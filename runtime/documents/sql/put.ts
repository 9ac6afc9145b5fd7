/**
 * Statements that insert and update versions, together with their links. Their values are lists with one item per
 * version, so one statement stores any number of versions; a single version is a list of one.
 */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, type Parameter, type Statement, statementOf, type Value } from "../../database/database.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Touching } from "./allowed.ts";
import { changeKey, type LinkChange, linkClauses, linkValues } from "./link.ts";
import {
  demand,
  endOfList,
  givenList,
  isOfStatus,
  list,
  named,
  sqlTypeOf,
  storedColumns,
  value,
  type Version,
} from "./version.ts";

/** Versions to be stored, with their links, and with their document if they are its first versions. */
export interface Put {
  readonly purpose: "insert with document" | "insert" | "update";
  readonly type: ContentType;
  /** A version, or the draft and the published version of one document in one locale, to which the same links are given. */
  readonly versions: readonly Version[];
  readonly links: readonly LinkChange[];
}

/** Updates a version. */
export const updateVersion = (type: ContentType, version: Version): Put => ({
  purpose: "update",
  type,
  versions: [version],
  links: [],
});

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

/** The lists as rows named `wanted`. */
class Rows {
  readonly #type: ContentType;
  readonly #filled: readonly Filled[];

  constructor(type: ContentType, filled: readonly Filled[]) {
    this.#type = type;
    this.#filled = filled;
  }

  /** A column of these rows: `v3` is a value, `turn3` numbers the rows added to the same list. */
  #name(purpose: "v" | "turn", from: string): SQL {
    return sql.raw(`${purpose}${this.#filled.findIndex((each) => each.from === from)}`);
  }

  /** The query that returns the rows. */
  query(): SQL {
    const lists = this.#filled.map(({ column, from }, index) =>
      index === 0 ? givenList(from, sqlTypeOf(column)) : sql`${value(from)}::${sqlTypeOf(column)}[]`,
    );
    const names = [...this.#filled.map(({ from }) => this.#name("v", from)), sql`number`];
    const turns = this.#filled.flatMap(({ from, leadsTo }) => {
      if (!leadsTo) return [];
      const publishedAt = this.#name("v", "publishedAt");
      const inList = sql`partition by ${this.#name("v", leadsTo.from)}, (${publishedAt} is not null) order by number`;
      return [sql`row_number() over (${inList})::int as ${this.#name("turn", from)}`];
    });
    return sql`select ${list([sql`*`, ...turns])} from unnest(${list(lists)}) with ordinality as listed(${list(names)})`;
  }

  /** The expression for a column's value. */
  value({ column, from, leadsTo }: Filled): SQL {
    const own = sql`wanted.${this.#name("v", from)}`;
    return leadsTo ? this.#position(own, column, from, leadsTo) : own;
  }

  /** Whether a row is a published version. */
  get isPublished(): SQL {
    return sql`(wanted.${this.#name("v", "publishedAt")} is not null)`;
  }

  /** The condition that matches a row of the table with `wanted`, by default in the status of that. */
  match(status = sql`(${this.#type.table.publishedAt} is not null) = ${this.isPublished}`): SQL {
    const equal = keysOf(this.#type).map((each) => sql`${each.column} = ${this.value(each)}`);
    return sql.join([...equal, status], sql` and `);
  }

  /** Inserts the rows. */
  insert(filled: readonly Filled[]): SQL {
    return sql`insert into ${this.#type.table} (${list(filled.map(({ column }) => named(column)))}) select ${list(filled.map((each) => this.value(each)))} from wanted`;
  }

  /**
   * The position in the inverse list: the given one, else that of the draft being published, else at the end after the
   * rows before it.
   */
  #position(own: SQL, position: AnyPgColumn, from: string, leadsTo: NonNullable<Filled["leadsTo"]>): SQL {
    const { table, draftAndPublish } = this.#type;
    const target = sql`wanted.${this.#name("v", leadsTo.from)}`;
    const draft = this.match(isOfStatus(this.#type, "draft"));
    const inDraft = draftAndPublish
      ? [
          sql`(select ${position} from ${table} where ${this.isPublished} and ${draft} and ${leadsTo.column} = ${target})`,
        ]
      : [];
    const end = sql`${endOfList(table, leadsTo.column, position, target)} + wanted.${this.#name("turn", from)} - 1`;
    return sql`case when ${target} is null then null else coalesce(${list([own, ...inDraft, end])}) end`;
  }
}

/**
 * A key that is equal for versions of a type that one statement can store. New versions may have links in different
 * attributes, since they have no links in those not given.
 */
const putKey = ({ purpose, versions, links }: Put): string =>
  `${purpose} ${versions.length} ${purpose === "update" ? keyOf(links) : ""}`;

const keyOf = (links: readonly LinkChange[]): string => links.map(changeKey).join(", ");

/** The attributes of which any version has links, each once. */
const linksOf = (puts: readonly Put[]): readonly LinkChange[] => [
  ...new Map(puts.flatMap(({ links }) => links.map((link) => [changeKey(link), link]))).values(),
];

const statementFor = (put: Put, links: readonly LinkChange[]): Statement =>
  statementOf(put.type.table, `${putKey(put)} ${keyOf(links)}`, () => {
    const { purpose, type, versions } = put;
    const { table } = type;
    const [keys, columns] = [keysOf(type), columnsOf(type)];
    const rows = new Rows(type, [...keys, ...columns]);
    const set = list(columns.map((each) => sql`${named(each.column)} = ${rows.value(each)}`));
    const isNew = purpose !== "update";
    const both = versions.length > 1;
    const stored = isNew
      ? rows.insert([...keys, ...columns])
      : sql`update ${table} set ${set} from wanted where ${rows.match()}`;
    const identity = list([documents.documentId, documents.type, documents.single].map(named));
    const once = both ? sql` where not ${rows.isPublished}` : sql``;
    const document = sql`insert into ${documents} (${identity}) select wanted.v0, ${value("document:type")}, ${value("document:single")} from wanted${once}`;
    const returned = [table.id, ...keys.map(({ column }) => column), table.publishedAt];
    const clauses = [
      sql`wanted as (${rows.query()})`,
      ...(purpose === "insert with document" ? [sql`document as (${document})`] : []),
      sql`version as (${stored} returning ${list(returned.map((each) => sql`${each}`))})`,
      ...links.flatMap((change, suffix) => linkClauses(type, change, { isNew, both, suffix })),
    ];
    const isStored = sql`(select count(*) from version) = (select count(*) from wanted)`;
    return sql`with ${list(clauses)} ${demand(isStored)}`;
  });

const valueIn = (version: Version, name: string | number): Value => {
  switch (name) {
    case "documentId":
    case "createdAt":
    case "updatedAt":
    case "publishedAt":
    case "locale":
      return version[name];
    default:
      return version.values[name] ?? null;
  }
};

/** The statement that stores versions of one type with the same {@link putKey}. */
const storing = (first: Put, puts: readonly Put[]): Bound => {
  const links = linksOf(puts);
  const statement = statementFor(first, links);
  const versions = puts.flatMap((put) => put.versions);
  const values: Record<string, Parameter> = linkValues(links, puts);
  values["document:type"] = first.type.uid;
  values["document:single"] = first.type.kind === "singleType";
  for (const name of statement.parameters) values[name] ??= versions.map((version) => valueIn(version, name));
  return { statement, values };
};

/** A step of a write: a version to store, or another statement. */
export type Step = Put | Touching;

const stepKey = (step: Step): string => ("purpose" in step ? putKey(step) : step.statement.text);

/**
 * The statements for the steps of several writes of one type, each write in order. Where the next steps of several
 * writes are versions that one statement can store, it stores them all.
 */
export const statementsFor = (writes: readonly (readonly Step[])[]): readonly Bound[] => {
  const statements: Bound[] = [];
  const left = writes.map((steps) => ({ steps, at: 0 }));
  let waiting = left.filter(({ steps }) => steps.length > 0);
  for (let first = waiting[0]?.steps[waiting[0].at]; first; first = waiting[0]?.steps[waiting[0].at]) {
    const key = stepKey(first);
    const alike: Put[] = [];
    for (const write of waiting) {
      const step = write.steps[write.at];
      if (!step || stepKey(step) !== key) continue;
      write.at += 1;
      if ("purpose" in step) alike.push(step);
      else statements.push(step);
    }
    const [put] = alike;
    if (put) statements.push(storing(put, alike));
    waiting = waiting.filter(({ steps, at }) => at < steps.length);
  }
  return statements;
};
