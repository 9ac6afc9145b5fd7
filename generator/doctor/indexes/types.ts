/** The content types by table, with the columns that requests may use. */
import { getTableName } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Application } from "../../../runtime/app/application.ts";
import type { Attribute, ContentType, ScalarType } from "../../../runtime/schema/content-type.ts";
import { fileType } from "../../../runtime/schema/file-type.ts";

export type TypeTable = ReturnType<typeof typeTables>[number];

/** The scalars that requests may use, with the names of their attributes, by column. */
const columnsOf = (type: ContentType) => {
  const columns = new Map<string, { readonly attribute: string; readonly type: ScalarType }>();
  const add = (attribute: string, scalar: ScalarType, column: AnyPgColumn): void =>
    void columns.set(column.name, { attribute, type: scalar });
  const attributes: Readonly<Record<string, Attribute>> = type.attributes;
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.private === true || attribute.type === "password") continue;
    switch (attribute.type) {
      case "relation":
      case "media":
      case "component":
      case "dynamiczone":
      case "json":
      case "blocks":
        break;
      default:
        add(name, attribute.type, attribute.column);
    }
  }
  add("createdAt", "datetime", type.table.createdAt);
  add("updatedAt", "datetime", type.table.updatedAt);
  if (type.draftAndPublish) add("publishedAt", "datetime", type.table.publishedAt);
  return columns;
};

/** Collection types and files; single types have only one document. */
export const typeTables = ({ contentTypes }: Application) =>
  [...Object.values(contentTypes).map(({ type }) => type), fileType]
    .filter(({ kind }) => kind === "collectionType")
    .map((type) => ({ type, table: getTableName(type.table), columns: columnsOf(type) }));
