/** The content types by table, with the columns that requests may use. */
import { getTableName } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Application } from "../../../runtime/app/application.ts";
import type { Attribute, ContentType, ScalarType } from "../../../runtime/schema/content-type.ts";
import { fileType } from "../../../runtime/schema/file-type.ts";

/** A scalar that requests may use. */
export interface TypeColumn {
  /** The name of the attribute. */
  readonly attribute: string;
  readonly type: ScalarType;
}

export interface TypeTable {
  readonly type: ContentType;
  readonly table: string;
  readonly columns: ReadonlyMap<string, TypeColumn>;
}

const columnsOf = (type: ContentType): ReadonlyMap<string, TypeColumn> => {
  const columns = new Map<string, TypeColumn>();
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
export const typeTables = ({ contentTypes }: Application): readonly TypeTable[] =>
  [...Object.values(contentTypes).map(({ type }) => type), fileType]
    .filter(({ kind }) => kind === "collectionType")
    .map((type) => ({ type, table: getTableName(type.table), columns: columnsOf(type) }));
