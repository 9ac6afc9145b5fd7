/** What statements about the storing side of a relation have in common, whether it has a link table or a column. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { AnyStatus } from "../../query/query.ts";
import type { ContentType, DocumentLinkTable, ToOneRelation } from "../../schema/content-type.ts";
import { hasStatus, value } from "./version.ts";

interface Storing {
  readonly type: ContentType;
  /** The attribute. */
  readonly name: string;
}

export interface LinkKeeper extends Storing {
  readonly link: DocumentLinkTable;
}

export interface ColumnKeeper extends Storing {
  readonly column: ToOneRelation["column"];
  readonly position: ToOneRelation["inversePosition"];
}

/** The attribute that stores the relation, and the type that it belongs to. */
export type Keeper = LinkKeeper | ColumnKeeper;

/** The table in which each row is one link. */
export const linksOf = (keeper: Keeper): DocumentLinkTable | ContentType["table"] =>
  "link" in keeper ? keeper.link : keeper.type.table;

/** The column that holds the document to which a link leads. */
export const targetOf = (keeper: Keeper): AnyPgColumn => ("link" in keeper ? keeper.link.documentId : keeper.column);

/** The column that orders the links to one document; undefined where they have no order. */
export const placeOf = (keeper: Keeper): AnyPgColumn | undefined =>
  "link" in keeper ? keeper.link.inversePosition : keeper.position;

/** The versions that store links, with their links. */
export const versionsWithLinks = (keeper: Keeper): SQL => {
  const { table } = keeper.type;
  if (!("link" in keeper)) return sql`${table}`;
  return sql`${keeper.link} join ${table} on ${table.id} = ${keeper.link.versionId}`;
};

/** Which versions of the storing side take part. */
export interface Scope {
  readonly status: AnyStatus;
  /** Set when both sides have locales. */
  readonly locale: string | null;
}

/** Tells apart the statements that scopes lead to. */
export const scopeKey = ({ status, locale }: Scope): string => `${status} ${locale === null ? "" : "locale"}`;

export const inScope = ({ type }: Keeper, { status, locale }: Scope): SQL => {
  const wanted = status === "either" ? sql`true` : hasStatus(type, status);
  const { locale: column } = type.table;
  return column && locale !== null ? sql`${wanted} and ${column} = ${value("locale")}` : wanted;
};
