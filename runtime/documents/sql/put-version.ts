/** Inserts and updates a version, together with its links. */
import { type SQL, sql } from "drizzle-orm";
import type { Parameter } from "../../database/database.ts";
import { type Bound, type Statement, statementOf } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { LinkCopy } from "./link-copies.ts";
import { changeKey, type LinkChange, linkClauses, linkValues } from "./link.ts";
import { givenKeys, givenRow, insertOfDocument, insertRow, updateRow } from "./put-rows.ts";
import { type PutMany, putMany } from "./put-versions.ts";
import { list, named, type Version } from "./version.ts";

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
export const putRow = ({ purpose, type, version: { status } }: Put): SQL => {
  const row = givenRow(type, status);
  return purpose === "update" ? updateRow(type, status, row) : insertRow(type, [...givenKeys(type), ...row]);
};

const statementFor = (put: Put): Statement =>
  statementOf(put.type.table, putKey(put), () => {
    const { purpose, type, links } = put;
    const isNew = purpose !== "update";
    const expressions = [
      ...(purpose === "insert with document" ? [sql`document as (${insertOfDocument})`] : []),
      ...(links.length > 0 ? [sql`version as (${putRow(put)} returning ${named(type.table.id)})`] : []),
      ...links.flatMap((change, suffix) => linkClauses(type, change, { isNew, suffix })),
    ];
    if (expressions.length === 0) return putRow(put);
    return sql`with ${list(expressions)} ${links.length > 0 ? sql`select 1` : putRow(put)}`;
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
 * keep them twice. There is a statement for many such versions unless they have links of their own.
 */
const bound = (put: Put): BoundPut => {
  const { purpose, type, version, links } = put;
  const { status } = version;
  return {
    put,
    get statement() {
      return statementFor(put);
    },
    many: links.every(isCopy) ? () => putMany(type, { purpose, status, copies: links }) : undefined,
    get values() {
      return putValues(put);
    },
  };
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
