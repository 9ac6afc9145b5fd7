/** Inserts and updates a version, together with its links. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Parameter, Value } from "../../database/database.ts";
import { type Bound, type Statement, statementOf } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { LinkCopy } from "./link-copies.ts";
import { changeKey, type LinkChange, linkClauses, linkValues } from "./link.ts";
import { givenKeys, givenRow, insertOfDocument, insertRow, returning, updateRow } from "./put-rows.ts";
import { type PutMany, putMany } from "./put-versions.ts";
import { demandStored } from "./stored.ts";
import { list, type Version } from "./version.ts";

/** A version to be stored, with its links, and with its document if this is its first version. */
export interface Put {
  readonly purpose: PutMany["purpose"];
  readonly type: ContentType;
  readonly documentId: string;
  readonly version: Version;
  readonly links: readonly LinkChange[];
}

/** The statement that stores one version. */
export interface BoundPut extends Bound {
  readonly put: Put;
}

export const isPut = (bound: Bound): bound is BoundPut => "put" in bound;

/** A key that tells statements for different versions apart. */
export const putKey = ({ purpose, version, links }: Put): string =>
  [purpose, version.status, ...links.map(changeKey)].join(", ");

/** Stores the row of a version. */
const putRow = ({ purpose, type, version: { status } }: Put): SQL => {
  const row = givenRow(type, status);
  return purpose === "update" ? updateRow(type, status, row) : insertRow(type, [...givenKeys(type), ...row]);
};

/** Stores the document of a first version. */
const documentClause = ({ purpose }: Put): readonly SQL[] =>
  purpose === "insert with document" ? [sql`document as (${insertOfDocument})`] : [];

/** How {@link putClauses} names the version, and what its clauses return. */
export interface Returned {
  readonly version: "version" | "draft";
  /** Columns of the version beside its id. */
  readonly columns: readonly AnyPgColumn[];
  /** Whether the links return what they store. */
  readonly links: boolean;
}

/** Common table expressions that store a version, with its document if it is the first one, and its links. */
export const putClauses = (put: Put, { version, columns, links: returns }: Returned): readonly SQL[] => {
  const { purpose, type, links } = put;
  const isNew = purpose !== "update";
  return [
    ...documentClause(put),
    sql`${sql.raw(version)} as (${putRow(put)} ${returning([type.table.id, ...columns])})`,
    ...links.flatMap((change, suffix) => linkClauses(type, change, { isNew, suffix, version, returns })),
  ];
};

const statementFor = (put: Put): Statement =>
  statementOf(put.type.table, putKey(put), () => {
    const clauses = putClauses(put, { version: "version", columns: [], links: false });
    return sql`with ${list(clauses)} ${demandStored}`;
  });

const isCopy = (change: LinkChange): change is LinkCopy => "from" in change;

/** The values for the statement of a put. */
export const putValues = ({ purpose, type, documentId, version, links }: Put): Record<string, Parameter> => {
  const { values, locale, createdAt, updatedAt, publishedAt } = version;
  const all: Record<string, Parameter> = { ...values, documentId, createdAt, updatedAt, publishedAt };
  if (locale !== null) all["locale"] = locale;
  for (const change of links) Object.assign(all, linkValues(change));
  if (purpose === "insert with document") {
    all["document:type"] = type.uid;
    all["document:single"] = type.kind === "singleType";
  }
  return all;
};

/**
 * The values are gathered when the statement is sent: a write of many documents plans all before it sends any, and would
 * keep them twice.
 */
const bound = (put: Put): BoundPut => ({
  put,
  get statement() {
    return statementFor(put);
  },
  get values() {
    return putValues(put);
  },
});

/** One of {@link putValues}, for a put without links of its own. */
const valueIn = ({ type, documentId, version }: Put, name: string | number): Value => {
  switch (name) {
    case "documentId":
      return documentId;
    case "createdAt":
    case "updatedAt":
    case "publishedAt":
    case "locale":
      return version[name];
    case "document:type":
      return type.uid;
    case "document:single":
      return type.kind === "singleType";
    default:
      return version.values[name] ?? null;
  }
};

/**
 * One statement for versions that are stored in the same way, with lists as values; undefined if they have links of their
 * own.
 */
export const putTogether = (puts: readonly Put[]): Bound | undefined => {
  const [first] = puts;
  if (!first?.links.every(isCopy)) return undefined;
  const { type, purpose, version, links } = first;
  const statement = putMany(type, { purpose, status: version.status, copies: links });
  const values: Record<string, Parameter> = {};
  for (const name of statement.parameters) values[name] ??= puts.map((put) => valueIn(put, name));
  return { statement, values };
};

/** Inserts a version, with its links. */
export const insertVersion = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound({ purpose: "insert", type, documentId, version, links });

/** Inserts a document with its first version. */
export const insertDocument = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound({ purpose: "insert with document", type, documentId, version, links });

/** Updates a version, and the links in `links`. */
export const updateVersion = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound({ purpose: "update", type, documentId, version, links });
