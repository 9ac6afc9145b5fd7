import { memberAccess, propertyKey, stringLiteral } from "../attributes/literal.ts";
import type { Attribute, ContentType } from "../model/model.ts";
import { Namespace } from "../model/namespace.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import type { RelationView, TableRelationsView } from "./views.ts";

const storageOf = (attribute: Attribute) => ("storage" in attribute ? attribute.storage : undefined);

const linkTables = ({ attributes }: ContentType): readonly string[] =>
  attributes.flatMap((attribute) => {
    const storage = storageOf(attribute);
    return storage?.kind === "link" ? [storage.tableConst] : [];
  });

/** Columns lead to a document, whose versions are in a table of theirs, or to a file; links do so from their own table. */
const relationsOf = (type: ContentType): TableRelationsView => {
  const { tableConst, table } = type.names;
  const names = new Namespace(["documentId", ...type.attributes.map(({ name }) => name)]);
  const columns: RelationView[] = [];
  const links: (RelationView & { readonly link: string })[] = [];
  for (const attribute of type.attributes) {
    const storage = storageOf(attribute);
    const files = attribute.kind === "media";
    if (storage?.kind === "column") {
      const name = names.take(`${attribute.name}${files ? "File" : "Document"}`);
      columns.push({ name: propertyKey(name), column: memberAccess(attribute.name), files });
    }
    if (storage?.kind === "link") {
      const column = files ? ".fileId" : ".documentId";
      links.push({ name: propertyKey(attribute.name), column, files, link: storage.tableConst });
    }
  }
  return {
    tableConst,
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
