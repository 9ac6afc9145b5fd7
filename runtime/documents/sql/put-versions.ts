/** Inserts and updates many versions at once, by statements whose values are lists with one item per version. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Statement, statementOf } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { copyClausesOfMany, type LinkCopy } from "./link-copies.ts";
import { endOfList } from "./place.ts";
import { demandAllStored } from "./stored.ts";
import { isOfStatus, list, named, sqlTypeOf, storedColumns, value } from "./version.ts";

/** A column, and the name of the list with its values. */
interface Filled {
  readonly column: AnyPgColumn;
  readonly from: string;
  /** For a position in an inverse list: the column that holds the list's document. */
  readonly leadsTo?: { readonly column: AnyPgColumn; readonly from: string };
}

const columnsOf = (type: ContentType): readonly Filled[] => [
  { column: type.table.createdAt, from: "createdAt" },
  { column: type.table.updatedAt, from: "updatedAt" },
  { column: type.table.publishedAt, from: "publishedAt" },
  ...storedColumns(type).map(({ key, column, attribute, role }): Filled => {
    if (role !== "position" || !("column" in attribute)) return { column, from: key };
    return { column, from: key, leadsTo: { column: attribute.column, from: key.replace(/:position$/, "") } };
  }),
];

/** The columns that identify a version within its status. */
const keysOf = ({ table }: ContentType): readonly Filled[] => [
  { column: table.documentId, from: "documentId" },
  ...(table.locale ? [{ column: table.locale, from: "locale" }] : []),
];

const DOCUMENT: readonly Filled[] = [
  { column: documents.type, from: "document:type" },
  { column: documents.single, from: "document:single" },
];

/** The lists as rows named `wanted`, for versions of one status. */
class Rows {
  readonly #type: ContentType;
  readonly #status: Status;
  readonly #filled: readonly Filled[];

  constructor(type: ContentType, status: Status, filled: readonly Filled[]) {
    this.#type = type;
    this.#status = status;
    this.#filled = filled;
  }

  /** A column of these rows: `v3` is a value, `turn3` numbers the rows that are added to the same list. */
  #name(purpose: "v" | "turn", from: string): SQL {
    return sql.raw(`${purpose}${this.#filled.findIndex((each) => each.from === from)}`);
  }

  /** The query that returns the rows. */
  query(): SQL {
    const lists = this.#filled.map(({ column, from }) => sql`${value(from)}::${sqlTypeOf(column)}[]`);
    const names = [...this.#filled.map(({ from }) => this.#name("v", from)), sql`number`];
    const turns = this.#filled.flatMap(({ from, leadsTo }) => {
      if (!leadsTo) return [];
      const inList = sql`partition by ${this.#name("v", leadsTo.from)} order by number`;
      return [sql`row_number() over (${inList})::int as ${this.#name("turn", from)}`];
    });
    return sql`select ${list([sql`*`, ...turns])} from unnest(${list(lists)}) with ordinality as listed(${list(names)})`;
  }

  /** The expression for a column's value. */
  value({ column, from, leadsTo }: Filled): SQL {
    const own = sql`wanted.${this.#name("v", from)}`;
    return leadsTo ? this.#place(own, column, from, leadsTo) : own;
  }

  /** The condition that matches a row of the table with `wanted`, in the given status. */
  match(status: Status): SQL {
    const equal = keysOf(this.#type).map((each) => sql`${each.column} = ${this.value(each)}`);
    return sql.join([...equal, isOfStatus(this.#type, status)], sql` and `);
  }

  /**
   * The position in the inverse list: the given one, else that of the draft which is published, else at the end after
   * the rows before it.
   */
  #place(own: SQL, place: AnyPgColumn, from: string, leadsTo: NonNullable<Filled["leadsTo"]>): SQL {
    const { table, draftAndPublish } = this.#type;
    const target = sql`wanted.${this.#name("v", leadsTo.from)}`;
    const inDraft =
      draftAndPublish && this.#status === "published"
        ? [sql`(select ${place} from ${table} where ${this.match("draft")} and ${leadsTo.column} = ${target})`]
        : [];
    const end = sql`${endOfList(table, leadsTo.column, place, target)} + wanted.${this.#name("turn", from)} - 1`;
    return sql`case when ${target} is null then null else coalesce(${list([own, ...inDraft, end])}) end`;
  }
}

const insertInto = (table: ContentType["table"] | typeof documents, rows: Rows, filled: readonly Filled[]): SQL =>
  sql`insert into ${table} (${list(filled.map(({ column }) => named(column)))}) select ${list(filled.map((each) => rows.value(each)))} from wanted`;

/** What to do with versions of one status; their links can be copied from another status. */
export interface PutMany {
  readonly purpose: "insert with document" | "insert" | "update";
  readonly status: Status;
  readonly copies: readonly LinkCopy[];
}

/** Inserts versions in the order of the lists (each with a new document, or for an existing one), or updates them. */
export const putMany = (type: ContentType, { purpose, status, copies }: PutMany): Statement =>
  statementOf(type.table, `${purpose} many ${status}, ${copies.map(({ name }) => name).join(", ")}`, () => {
    const { table } = type;
    const begins = purpose === "insert with document";
    const [keys, columns] = [keysOf(type), columnsOf(type)];
    const rows = new Rows(type, status, [...keys, ...columns, ...(begins ? DOCUMENT : [])]);
    const set = list(columns.map((each) => sql`${named(each.column)} = ${rows.value(each)}`));
    const put =
      purpose === "update"
        ? sql`update ${table} set ${set} from wanted where ${rows.match(status)}`
        : insertInto(table, rows, [...keys, ...columns]);
    const identity = [{ column: documents.documentId, from: "documentId" }, ...DOCUMENT];
    const expressions = [
      sql`wanted as (${rows.query()})`,
      ...(begins ? [sql`document as (${insertInto(documents, rows, identity)})`] : []),
      sql`version as (${put} returning ${list([table.id, ...keys.map(({ column }) => column)].map((each) => sql`${each}`))})`,
      ...copies.flatMap((copy, suffix) => copyClausesOfMany(type, copy, { isNew: purpose !== "update", suffix })),
    ];
    return sql`with ${list(expressions)} ${demandAllStored}`;
  });
