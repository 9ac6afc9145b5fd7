/** Inserts and updates a version, together with its links. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Parameter } from "../../database/database.ts";
import { type Bound, type Statement, statementOf, type Values } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { LinkCopy } from "./link-copies.ts";
import { changeKey, type LinkChange, linkClauses, linkValues } from "./link.ts";
import { endOfList } from "./place.ts";
import { type PutMany, putMany } from "./put-versions.ts";
import { isVersion, list, named, type StoredColumn, storedColumns, value, type Version } from "./version.ts";

/** The position in the inverse list: the given one, else that in the version that is copied, else the end. */
const position = (type: ContentType, { key, column, attribute }: StoredColumn, { status }: Version): SQL => {
  const { table } = type;
  const owner = "column" in attribute ? attribute.column : column;
  const target = value(key.replace(/:position$/, ""));
  const isCopied = type.draftAndPublish && status === "published";
  const inDraft = isCopied
    ? sql`, (select ${column} from ${table} where ${isVersion(type, "draft")} and ${owner} = ${target})`
    : sql``;
  return sql`case when ${target}::text is null then null else coalesce(${value(key)}::integer${inDraft}, ${endOfList(table, owner, column, target)}) end`;
};

const columnValue = (type: ContentType, stored: StoredColumn, version: Version): SQL =>
  stored.role === "position" ? position(type, stored, version) : value(stored.key);

const insert = (type: ContentType, version: Version): SQL => {
  const { table } = type;
  const system: [AnyPgColumn, SQL][] = [
    [table.documentId, value("documentId")],
    [table.createdAt, value("createdAt")],
    [table.updatedAt, value("updatedAt")],
    [table.publishedAt, value("publishedAt")],
  ];
  if (table.locale) system.push([table.locale, value("locale")]);
  const attributes = storedColumns(type).map((each): [AnyPgColumn, SQL] => [
    each.column,
    columnValue(type, each, version),
  ]);
  const all = [...system, ...attributes];
  return sql`insert into ${table} (${list(all.map(([column]) => named(column)))}) values (${list(all.map(([, each]) => each))})`;
};

const update = (type: ContentType, version: Version): SQL => {
  const { table } = type;
  const system = [
    sql`${named(table.createdAt)} = ${value("createdAt")}`,
    sql`${named(table.updatedAt)} = ${value("updatedAt")}`,
    sql`${named(table.publishedAt)} = ${value("publishedAt")}`,
  ];
  const attributes = storedColumns(type).map(
    (each) => sql`${named(each.column)} = ${columnValue(type, each, version)}`,
  );
  return sql`update ${table} set ${list([...system, ...attributes])} where ${isVersion(type, version.status)}`;
};

const insertOfDocument = sql`insert into ${documents} (${list([documents.documentId, documents.type, documents.single].map(named))}) values (${list(["documentId", "document:type", "document:single"].map(value))})`;

/** One statement that stores the version and its links, and the document if this is its first version. */
const statementFor = (
  type: ContentType,
  purpose: PutMany["purpose"],
  version: Version,
  links: readonly LinkChange[],
): Statement =>
  statementOf(type.table, [purpose, version.status, ...links.map(changeKey)].join(", "), () => {
    const isNew = purpose !== "update";
    const put = isNew ? insert(type, version) : update(type, version);
    const expressions = [
      ...(purpose === "insert with document" ? [sql`document as (${insertOfDocument})`] : []),
      ...(links.length > 0 ? [sql`version as (${put} returning ${named(type.table.id)})`] : []),
      ...links.flatMap((change, suffix) => linkClauses(type, change, { isNew, suffix })),
    ];
    if (expressions.length === 0) return put;
    return sql`with ${list(expressions)} ${links.length > 0 ? sql`select 1` : put}`;
  });

const isCopy = (change: LinkChange): change is LinkCopy => "from" in change;

interface Put {
  readonly type: ContentType;
  readonly documentId: string;
  readonly version: Version;
  readonly links: readonly LinkChange[];
}

const valuesOf = ({ documentId, version, links }: Put): Record<string, Parameter> => {
  const { values, locale, createdAt, updatedAt, publishedAt } = version;
  const all: Record<string, Parameter> = { ...values, documentId, createdAt, updatedAt, publishedAt };
  if (locale !== null) all["locale"] = locale;
  for (const change of links) Object.assign(all, linkValues(change));
  return all;
};

const withDocument = (type: ContentType, values: Record<string, Parameter>): Values => {
  values["document:type"] = type.uid;
  values["document:single"] = type.kind === "singleType";
  return values;
};

/**
 * The values are gathered when the statement is sent: a write of many documents plans all before it sends any, and would
 * keep them twice. There is a statement for many such versions unless they have links of their own.
 */
const bound = (purpose: PutMany["purpose"], put: Put): Bound => {
  const { type, version, links } = put;
  const { status } = version;
  return {
    statement: statementFor(type, purpose, version, links),
    many: links.every(isCopy) ? () => putMany(type, { purpose, status, copies: links }) : undefined,
    get values() {
      const values = valuesOf(put);
      return purpose === "insert with document" ? withDocument(type, values) : values;
    },
  };
};

/** Inserts a version, with its links. */
export const insertVersion = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound("insert", { type, documentId, version, links });

/** Inserts a document with its first version. */
export const insertDocument = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound("insert with document", { type, documentId, version, links });

/** Updates a version, and the links in `links`. */
export const updateVersion = (
  type: ContentType,
  documentId: string,
  version: Version,
  links: readonly LinkChange[] = [],
): Bound => bound("update", { type, documentId, version, links });
