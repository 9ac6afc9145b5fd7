/**
 * Deletes versions and documents. After each deletion, a statement fails unless the versions are gone: a trigger or
 * policy of the project may keep rows without an error, also those that are deleted with their document.
 */
import { type SQL, sql } from "drizzle-orm";
import { type Bound, statementOf } from "../../database/database.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { demand, hasStatus, value } from "./version.ts";

/** Which versions of some documents are meant. */
interface Selected {
  /** Undefined for all. */
  readonly locales?: readonly string[] | undefined;
  /** Both by default. */
  readonly status?: Status;
}

/** Binds a statement about versions of `documentIds`; `query` builds it from the rows to affect. */
const about = (
  purpose: "delete" | "demand gone",
  type: ContentType,
  documentIds: readonly string[],
  { locales, status, query }: Selected & { query(rows: SQL): SQL },
): Bound => {
  const { table } = type;
  const inLocales = table.locale && locales ? table.locale : undefined;
  const statement = statementOf(table, `${purpose} ${status ?? ""} ${inLocales ? "locales" : ""}`, () => {
    const locale = inLocales ? sql` and ${inLocales} = any(${value("locales")}::text[])` : sql``;
    const only = status ? sql` and ${hasStatus(type, status)}` : sql``;
    return query(sql`from ${table} where ${table.documentId} = any(${value("documentIds")}::text[])${locale}${only}`);
  });
  return { statement, values: { documentIds, ...(inLocales ? { locales: locales ?? [] } : {}) } };
};

const demandGone = (type: ContentType, documentIds: readonly string[], selected: Selected): Bound =>
  about("demand gone", type, documentIds, {
    ...selected,
    query: (rows) => demand(sql`not exists (select ${rows})`),
  });

/** Deletes versions of documents. */
export const deleteVersions = (
  type: ContentType,
  documentIds: readonly string[],
  selected: Selected,
): readonly Bound[] => [
  about("delete", type, documentIds, { ...selected, query: (rows) => sql`delete ${rows}` }),
  demandGone(type, documentIds, selected),
];

/** Deletes documents of one type; the database deletes their versions and all links to them. */
export const deleteDocuments = (type: ContentType, documentIds: readonly string[]): readonly Bound[] => [
  {
    statement: statementOf(
      documents,
      "delete",
      () => sql`delete from ${documents} where ${documents.documentId} = any(${value("documentIds")}::text[])`,
    ),
    values: { documentIds },
  },
  demandGone(type, documentIds, {}),
];
