/** Helpers for statements on the storing side of a relation ("keeper"), which has either a link table or a column. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { AnyStatus } from "../../query/query.ts";
import type { ContentType, DocumentLinkTable, ToOneRelation } from "../../schema/content-type.ts";
import { hasStatus, value } from "./version.ts";

interface Storing {
  readonly type: ContentType;
  /** The name of the attribute. */
  readonly name: string;
}

export interface LinkKeeper extends Storing {
  readonly link: DocumentLinkTable;
}

export interface ColumnKeeper extends Storing {
  readonly column: ToOneRelation["column"];
  readonly position: ToOneRelation["inversePosition"];
}

/** The attribute that stores the relation, and its type. */
export type Keeper = LinkKeeper | ColumnKeeper;

/** The table in which each row is a link. */
export const linksOf = (keeper: Keeper): DocumentLinkTable | ContentType["table"] =>
  "link" in keeper ? keeper.link : keeper.type.table;

/** The column with the documentId that a link leads to. */
export const targetOf = (keeper: Keeper): AnyPgColumn => ("link" in keeper ? keeper.link.documentId : keeper.column);

/** The column that orders all links to one document; undefined if they have no order. */
export const placeOf = (keeper: Keeper): AnyPgColumn | undefined =>
  "link" in keeper ? keeper.link.inversePosition : keeper.position;

/** The versions that store links, joined with these links. */
export const versionsWithLinks = (keeper: Keeper): SQL => {
  const { table } = keeper.type;
  if (!("link" in keeper)) return sql`${table}`;
  return sql`${keeper.link} join ${table} on ${table.id} = ${keeper.link.versionId}`;
};

/** Which versions of the storing side are affected. */
export interface Scope {
  readonly status: AnyStatus;
  /** Set if both sides have locales. */
  readonly locale: string | null;
}

/** A key that tells statements for different scopes apart. */
export const scopeKey = ({ status, locale }: Scope): string => `${status} ${locale === null ? "" : "locale"}`;

export const inScope = ({ type }: Keeper, { status, locale }: Scope): SQL => {
  const wanted = status === "either" ? sql`true` : hasStatus(type, status);
  const { locale: column } = type.table;
  return column && locale !== null ? sql`${wanted} and ${column} = ${value("locale")}` : wanted;
};
