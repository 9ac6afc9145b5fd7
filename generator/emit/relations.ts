import { memberAccess, propertyKey, stringLiteral } from "../attributes/literal.ts";
import type { Attribute, ContentType } from "../model/model.ts";
import { Namespace } from "../model/namespace.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import type { LinkRelationsView, RelationView, TableRelationsView } from "./views.ts";

const storageOf = (attribute: Attribute) => ("storage" in attribute ? attribute.storage : undefined);

const linkTables = ({ attributes }: ContentType): readonly string[] =>
  attributes.flatMap((attribute) => {
    const storage = storageOf(attribute);
    return storage?.kind === "link" ? [storage.tableConst] : [];
  });

const DOCUMENTS = { target: ".documents", targetKey: ".documents.documentId" } as const;
const FILES = { target: ".files", targetKey: ".files.id" } as const;

/** A link leads from a version to a document or file, by a table of its own. */
const linkView = (attribute: Attribute, link: string): LinkRelationsView => {
  const ends =
    attribute.kind === "media"
      ? ({ ...FILES, targetName: "file", column: ".fileId" } as const)
      : ({ ...DOCUMENTS, targetName: "document", column: ".documentId" } as const);
  return { name: propertyKey(attribute.name), link, relations: `${link}Relations`, ...ends };
};

const relationsOf = (type: ContentType): TableRelationsView => {
  const { tableConst, table } = type.names;
  const names = new Namespace(["documentId", ...type.attributes.map(({ name }) => name)]);
  const columns = type.attributes.flatMap((attribute): readonly RelationView[] => {
    if (storageOf(attribute)?.kind !== "column") return [];
    const isFile = attribute.kind === "media";
    const name = names.take(`${attribute.name}${isFile ? "File" : "Document"}`);
    return [{ name: propertyKey(name), column: memberAccess(attribute.name), ...(isFile ? FILES : DOCUMENTS) }];
  });
  const links = type.attributes.flatMap((attribute) => {
    const storage = storageOf(attribute);
    return storage?.kind === "link" ? [linkView(attribute, storage.tableConst)] : [];
  });
  return {
    tableConst,
    relations: `${tableConst}Relations`,
    versions: stringLiteral(`${table}_versions`),
    document: names.take("document", "documentRow"),
    columns,
    links,
  };
};

/** `tables.ts` and `relations.ts`: every table, and its relations, for Drizzle queries of the project's own code. */
export const emitRelations: Emitter = ({ model: { contentTypes } }) => {
  const tables = contentTypes.flatMap((type) =>
    [type.names.tableConst, ...linkTables(type)].map((table) => ({ table, folder: type.names.folder })),
  );
  return [
    { path: "tables.ts", text: render("tables.ts", { tables }) },
    { path: "relations.ts", text: render("relations.ts", { types: contentTypes.map(relationsOf) }) },
  ];
};
