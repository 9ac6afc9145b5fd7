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

/** What the caller's rules require of rows. */
interface Requirement {
  readonly type: ContentType;
  readonly key: string;
  condition(): SQL;
  readonly values: Values;
}

/** The limit allows all of the rows. */
export const allAllowed = ({ type, key, where, values }: Touched, limit: RowLimit): Requirement => ({
  type,
  key: `allowed ${key} ${limit.key}`,
  condition: () =>
    sql`not exists (select 1 from ${type.table} where ${where()} and not exists (select 1 from (${limit.rows}) as allowed where allowed.id = ${type.table.id}))`,
  values: { ...limit.values, ...values },
});

/** The limit allows a version of the document. */
export const anyAllowed = (type: ContentType, documentId: string, limit: RowLimit): Requirement => ({
  type,
  key: `any allowed ${limit.key}`,
  condition: () =>
    sql`exists (select 1 from (${limit.rows}) as allowed where allowed.document_id = ${value("documentId")})`,
  values: { ...limit.values, documentId },
});

/** A statement that fails unless the requirement is met. */
export const demanded = ({ type, key, condition, values }: Requirement): Bound => ({
  statement: statementOf(type.table, key, () => demand(condition(), NOT_ALLOWED)),
  values,
});

export const isMet = async (session: Session, { type, key, condition, values }: Requirement): Promise<boolean> => {
  const statement = statementOf(type.table, `is ${key}`, () => sql`select ${condition()}`);
  const [row] = await send(session, { statement, values });
  return row?.[0] === true;
};

/** Whether the limit, if there is one, allows all of the rows. */
export const areAllowed = async (session: Session, touched: Touched, limit: RowLimit | undefined): Promise<boolean> =>
  !limit || isMet(session, allAllowed(touched, limit));
