import { stringLiteral } from "../attributes/literal.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";

/** What every document has, unless `privateAttributes` of the schema file hides it. */
const SYSTEM_FIELDS = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt"]);

/** `<type>/document.ts`: the interface of a content type's documents, as the wire shows them. */
export const emitDocuments: Emitter = ({ model, attributesOf }) =>
  model.contentTypes.map((type) => ({
    path: `${type.names.folder}/document.ts`,
    text: render("document.ts", {
      ...type.names,
      source: sourceLine(type.file),
      uid: stringLiteral(type.uid),
      draftAndPublish: type.draftAndPublish,
      localized: type.localized,
      single: type.kind === "singleType",
      hiddenFields: type.privateFields.filter((field) => SYSTEM_FIELDS.has(field)),
      attributes: attributesOf(type),
    }),
  }));
