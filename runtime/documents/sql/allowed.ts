/** Statements that fail unless rows meet the caller's rules, and the rows that the steps of a write change. */
import { type SQL, sql } from "drizzle-orm";
import { type Bound, send, type Session, statementOf, type Values } from "../../database/database.ts";
import { NOT_ALLOWED } from "../../database/fault.ts";
import type { RowLimit } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { demand, isOfStatus, value, type VersionKey } from "./version.ts";

/** Rows that a write changes. */
export interface Touched {
  readonly type: ContentType;
  /** Equal for equal conditions. */
  readonly key: string;
  where(): SQL;
  readonly values: Values;
}

/** A statement that changes rows of other documents, or of other locales. */
export interface Touching extends Bound {
  readonly touches?: Touched | undefined;
}

/** All versions of documents. */
export const touchedDocuments = (type: ContentType, documentIds: readonly string[]): Touched => ({
  type,
  key: "documents",
  where: () => sql`${type.table.documentId} = any(${value("documentIds")}::text[])`,
  values: { documentIds },
});

const versionText = ({ status, locale, documentId }: VersionKey): string => `${status} ${locale ?? ""} ${documentId}`;

/** Some versions, as far as they exist. */
export const touchedVersions = (type: ContentType, versions: readonly VersionKey[]): Touched => ({
  type,
  key: "versions",
  where() {
    const { documentId, publishedAt, locale } = type.table;
    const status = sql`case when ${publishedAt} is null then 'draft' else 'published' end`;
    const text = sql`${status} || ' ' || ${locale ?? sql`''`} || ' ' || ${documentId}`;
    return sql`${documentId} = any(${value("documentIds")}::text[]) and (${text}) = any(${value("versions")}::text[])`;
  },
  values: { documentIds: versions.map(({ documentId }) => documentId), versions: versions.map(versionText) },
});

/** The versions of a document in locales other than that of `version`, in its status. */
export const touchedLocales = (type: ContentType, { documentId, locale, status }: VersionKey): Touched => ({
  type,
  key: `locales ${status}`,
  where: () =>
    sql`${type.table.documentId} = ${value("documentId")} and ${isOfStatus(type, status)} and ${type.table.locale ?? sql`''`} <> ${value("locale")}`,
  values: { documentId, locale },
});

/** Whether the limit allows all of the rows. */
const areAllowed = ({ type: { table }, where }: Touched, { rows }: RowLimit): SQL =>
  sql`not exists (select 1 from ${table} where ${where()} and not exists (select 1 from (${rows}) as allowed where allowed.id = ${table.id}))`;

/** Fails unless the limit allows all of the rows. */
export const demandAllowed = (touched: Touched, limit: RowLimit): Bound => ({
  statement: statementOf(touched.type.table, `allowed ${touched.key} ${limit.key}`, () =>
    demand(areAllowed(touched, limit), NOT_ALLOWED),
  ),
  values: { ...limit.values, ...touched.values },
});

/** Whether the limit, if there is one, allows all of the rows. */
export const areLeft = async (session: Session, touched: Touched, limit: RowLimit | undefined): Promise<boolean> => {
  if (!limit) return true;
  const key = `are allowed ${touched.key} ${limit.key}`;
  const statement = statementOf(touched.type.table, key, () => sql`select ${areAllowed(touched, limit)}`);
  const [row] = await send(session, { statement, values: { ...limit.values, ...touched.values } });
  return row?.[0] === true;
};

const isAnyLeft = ({ rows }: RowLimit): SQL =>
  sql`exists (select 1 from (${rows}) as allowed where allowed.document_id = ${value("documentId")})`;

/** Fails unless the limit allows a version of the document. */
export const demandAny = ({ table }: ContentType, documentId: string, limit: RowLimit): Bound => ({
  statement: statementOf(table, `any allowed ${limit.key}`, () => demand(isAnyLeft(limit), NOT_ALLOWED)),
  values: { ...limit.values, documentId },
});

/** Whether the limit allows a version of the document. */
export const isLeft = async (
  session: Session,
  { table }: ContentType,
  documentId: string,
  limit: RowLimit,
): Promise<boolean> => {
  const statement = statementOf(table, `is any allowed ${limit.key}`, () => sql`select ${isAnyLeft(limit)}`);
  const [row] = await send(session, { statement, values: { ...limit.values, documentId } });
  return row?.[0] === true;
};
