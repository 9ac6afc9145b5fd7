import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { schemaView } from "./schemas.ts";
import { sourceLine } from "./source.ts";

/** `<type>/validator.ts`: what documents have to satisfy, published and as drafts, and the type of what bodies hold. */
export const emitValidators: Emitter = (input) =>
  input.model.contentTypes.map((type) => ({
    path: `${type.names.folder}/validator.ts`,
    text: render("validator.ts", {
      ...type.names,
      ...schemaView(type, type.draftAndPublish, input),
      source: sourceLine(type.file),
      inComponent: false,
    }),
  }));
