import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { stringLiteral } from "../attributes/literal.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { fieldLine } from "./field.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

/** What every document has, unless `privateAttributes` of the schema file hides it. */
const SYSTEM_FIELDS = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt"]);

const emitDocument = (type: ContentType, scope: FileScope): string => {
  const name = type.names.interface;
  const localeFields = type.localized ? ["locale: string;", `localizations?: ${name}[];`] : [];
  const bases = ["DocumentFields", ...(type.draftAndPublish ? ["DraftAndPublish"] : [])];
  const view = {
    source: sourceLine(type.file),
    interface: name,
    bases: bases.map((base) => scope.type(modules.document, base)).join(", "),
    uid: stringLiteral(type.uid),
    input: scope.generatedType(`${type.names.folder}/validator`, type.names.input),
    fields: [
      ...type.privateFields.filter((field) => SYSTEM_FIELDS.has(field)).map((field) => `${field}: never;`),
      ...localeFields,
      ...type.attributes.map((attribute) => fieldLine(attribute.name, describe(attribute).document(scope))),
    ],
  };
  return render("document.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/document.ts`: the interface of a content type's documents, as the wire shows them. */
export const emitDocuments: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/document.ts`;
    return { path, text: emitDocument(type, fileScope(path, [type.names.interface], index)) };
  });
