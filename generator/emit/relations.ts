import { memberAccess, propertyKey, stringLiteral } from "../attributes/literal.ts";
import type { ContentType } from "../model/model.ts";
import { Namespace } from "../model/namespace.ts";
import type { EmitOptions, Emitter } from "./emitter.ts";
import { linkOf } from "./symbols.ts";

/** Links point from a version to documents or files, through a table of their own. */
const linksOf = ({ attributes }: ContentType) =>
  attributes.flatMap((attribute) => {
    const link = linkOf(attribute);
    if (link === undefined) return [];
    const { tableConst: linkConst, relationsConst } = link;
    return [{ name: propertyKey(attribute.name), linkConst, relationsConst, files: attribute.kind === "media" }];
  });

/** `files` says whether the other side of a relation consists of files; otherwise documents. */
const relationsOf = (type: ContentType) => {
  const { tableConst, relationsConst, table } = type.names;
  const names = new Namespace(["documentId", ...type.attributes.map(({ name }) => name)]);
  const columns = type.attributes.flatMap((attribute) => {
    if (!("storage" in attribute) || attribute.storage?.kind !== "column") return [];
    const files = attribute.kind === "media";
    const name = names.take(`${attribute.name}${files ? "File" : "Document"}`);
    return [{ name: propertyKey(name), member: memberAccess(attribute.name), files }];
  });
  return {
    tableConst,
    relationsConst,
    /** The name of the relation between documents and their versions. */
    versions: stringLiteral(`${table}_versions`),
    document: names.take("document", "documentRow"),
    columns,
    links: linksOf(type),
  };
};

/** The runtime modules with tables of features that the project uses. */
const optionalTables = (
  types: readonly ContentType[],
  { audit, events, sharing, media }: Pick<EmitOptions, "audit" | "events" | "sharing" | "media">,
): readonly string[] => {
  const features = {
    audit: audit !== undefined,
    events: events !== undefined,
    folder: media?.folders === true,
    history: types.some(({ history }) => history !== undefined),
    sharing: sharing !== undefined,
    schedule: types.some(({ schedule }) => schedule),
  };
  return Object.entries(features).flatMap(([name, isOn]) => (isOn ? [`${name}-tables`] : []));
};

/** Whether full-text search of a type reads the texts of its files. */
const searchesFiles = ({ search, attributes }: ContentType): boolean =>
  search !== undefined && attributes.some((attribute) => attribute.kind === "media" && attribute.searched);

/** `tables.ts` and `relations.ts`: all tables and their relations, for Drizzle queries in project code. */
export const emitRelations: Emitter = ({ model: { contentTypes }, ...options }) => [
  {
    path: "tables.ts",
    template: "tables.ts",
    view: {
      types: contentTypes.map(({ names }) => names),
      optional: optionalTables(contentTypes, options),
      searchesFiles: contentTypes.some(searchesFiles),
    },
  },
  { path: "relations.ts", template: "relations.ts", view: { types: contentTypes.map(relationsOf) } },
];
