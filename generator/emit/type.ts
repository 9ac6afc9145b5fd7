import { stringLiteral, valueLiteral } from "../attributes/literal.ts";
import type { Emitter } from "./emitter.ts";
import { labelsOf } from "./labels.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";

/** `<type>/type.ts`: the descriptor, which ties attributes to columns. */
export const emitTypes: Emitter = ({ model, attributesOf }) =>
  model.contentTypes.map((type) => ({
    path: `${type.names.folder}/type.ts`,
    text: render("type.ts", {
      ...type.names,
      source: sourceLine(type.file),
      uid: stringLiteral(type.uid),
      kind: stringLiteral(type.kind),
      singularName: stringLiteral(type.singularName),
      pluralName: stringLiteral(type.pluralName),
      ...labelsOf(type.singularName, type),
      draftAndPublish: type.draftAndPublish,
      localized: type.localized,
      privateFields: type.privateFields.length > 0 ? valueLiteral(type.privateFields) : "",
      attributes: attributesOf(type),
    }),
  }));
