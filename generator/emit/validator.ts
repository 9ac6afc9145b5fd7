import type { Attribute } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";

/** Whether the validation of an attribute depends on others. */
export const isConditional = (attributes: readonly Attribute[]): boolean =>
  attributes.some(({ condition }) => condition !== undefined);

/** `<type>/validator.ts`: what a published document must satisfy, and the type of what bodies hold. */
export const emitValidators: Emitter = ({ model, attributesOf }) =>
  model.contentTypes.map((type) => ({
    path: `${type.names.folder}/validator.ts`,
    text: render("validator.ts", {
      ...type.names,
      source: sourceLine(type.file),
      conditional: isConditional(type.attributes),
      attributes: attributesOf(type),
    }),
  }));
