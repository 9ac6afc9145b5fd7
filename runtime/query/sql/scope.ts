/** Where names are resolved in SQL: the columns of an aliased table, or the keys of a component's JSON. */
import { aliasedTable, aliasedTableColumn, type SQL, sql, or, Subquery } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { nameLiteral } from "../../database/name-literal.ts";
import type { ComponentUid, ScalarType, Uid } from "../../schema/content-type.ts";
import { matchesIn, textPathsOf } from "../../search/text-paths.ts";
import type { AnyStatus, Condition, LocaleScope, Slot } from "../query.ts";
import type { Member, Owner, ScalarMember, Schema, TypeOwner } from "../schema.ts";
import { slot } from "./compile.ts";

/** Selects the rows of a type that the statement may read; undefined for all of them. */
export type Readable = (uid: Uid, status: AnyStatus) => SQL | undefined;

/** A statement being built. */
export class Build {
  readonly schema: Schema;
  readonly readable: Readable;
  /**
   * The locales in order of preference: each document is shown in the first that it has. Undefined unless locales fall
   * back.
   */
  readonly fallback: Slot | undefined;
  #aliases = 0;

  constructor(schema: Schema, readable: Readable, locale?: LocaleScope) {
    this.schema = schema;
    this.readable = readable;
    this.fallback = locale?.kind === "first" ? locale.slot : undefined;
  }

  /** A new table alias. */
  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  /** The rows of a type, under an alias of their own. */
  rows(uid: Uid, status: AnyStatus): RowScope {
    return new RowScope(this, uid, status);
  }
}

/** The rows of one type. */
export class RowScope {
  readonly kind = "row";
  readonly build: Build;
  readonly owner: TypeOwner;
  readonly alias: string;
  /** The status that the rows are known to have. */
  readonly status: AnyStatus;

  constructor(build: Build, uid: Uid, status: AnyStatus) {
    this.build = build;
    this.owner = build.schema.type(uid);
    this.alias = build.alias();
    this.status = status;
  }

  get row(): RowScope {
    return this;
  }

  /** The table with its alias; if some rows may not be read, a query for the readable ones takes its place. */
  get table(): PgTable | Subquery {
    const rows = this.build.readable(this.owner.uid, this.status);
    return rows ? new Subquery(rows, {}, this.alias) : aliasedTable(this.owner.type.table, this.alias);
  }

  /** The same, as in `from`. */
  get from(): SQL {
    const rows = this.build.readable(this.owner.uid, this.status);
    return sql`${rows ? sql`(${rows})` : this.owner.type.table} ${sql.identifier(this.alias)}`;
  }

  get id(): AnyPgColumn {
    return this.column(this.owner.type.table.id);
  }

  get documentId(): AnyPgColumn {
    return this.column(this.owner.type.table.documentId);
  }

  get publishedAt(): AnyPgColumn {
    return this.column(this.owner.type.table.publishedAt);
  }

  get updatedAt(): AnyPgColumn {
    return this.column(this.owner.type.table.updatedAt);
  }

  get locale(): AnyPgColumn {
    const { locale } = this.owner.type.table;
    if (locale === undefined) throw new Error(`${this.owner.uid} is not localized`);
    return this.column(locale);
  }

  column(column: AnyPgColumn): AnyPgColumn {
    return columnIn(column, this.alias);
  }
}

/** A component within a row. */
export interface JsonScope {
  readonly kind: "json";
  readonly build: Build;
  readonly owner: Owner;
  /** Its JSON object. */
  readonly value: SQL;
  readonly row: RowScope;
}

export type Scope = RowScope | JsonScope;

export const columnIn = (column: AnyPgColumn, alias: string): AnyPgColumn => aliasedTableColumn(column, alias);

/** The component `uid` with the JSON object `value`, somewhere within `scope`. */
export const entryIn = ({ build, row }: Scope, uid: ComponentUid, value: SQL): JsonScope => ({
  kind: "json",
  build,
  owner: build.schema.component(uid),
  value,
  row,
});

/** The member of that name. The check has already found it, so a missing one is a bug. */
export const memberOf = (owner: Owner, name: string): Member => {
  const member = owner.members.get(name);
  if (member === undefined) throw new Error(`${owner.uid} has no ${name}`);
  return member;
};

/** The JSON value under a key. */
export const jsonMember = (value: SQL, name: string): SQL => sql`(${value} -> ${nameLiteral(name)})`;

/** The text of the JSON value under a key; null for a JSON null. */
export const jsonText = (value: SQL, name: string): SQL => sql`(${value} ->> ${nameLiteral(name)})`;

/** The elements of a JSON list; none for anything else. */
export const jsonList = (value: SQL): SQL => sql`case when json_typeof(${value}) = 'array' then ${value} end`;

/** Type names for casts. */
const SQL_TYPES: Readonly<Record<ScalarForm, string>> = {
  text: "text",
  integer: "integer",
  number: "double precision",
  decimal: "numeric",
  digits: "bigint",
  boolean: "boolean",
  date: "date",
  time: "time",
  instant: "timestamp",
  epoch: "timestamp",
  json: "jsonb",
};

export const sqlType = (type: ScalarType): SQL => sql.raw(SQL_TYPES[formOf(type)]);

/** The value of a scalar, with the type that {@link sqlType} returns. */
export const fieldIn = (scope: Scope, member: ScalarMember): SQL => {
  const isJson = formOf(member.type) === "json";
  if (scope.kind === "row") {
    if (member.column === undefined) throw new Error(`${scope.owner.uid}.${member.name} has no column`);
    const column = scope.column(member.column);
    return isJson ? sql`(${column})::jsonb` : sql`${column}`;
  }
  return isJson ? sql`(${jsonMember(scope.value, member.name)})::jsonb` : jsonScalar(scope.value, member);
};

/**
 * A scalar value in JSON; null if the JSON has another type than the attribute, since it may be older than the schema.
 */
const jsonScalar = (value: SQL, { name, type }: ScalarMember): SQL => {
  const text = jsonText(value, name);
  const kind = sql`json_typeof(${jsonMember(value, name)})`;
  switch (formOf(type)) {
    case "integer":
    case "number":
    case "decimal":
      return sql`case when ${kind} = 'number' then ${text}::numeric end`;
    case "digits":
      return sql`case when ${text} ~ '^-?[0-9]{1,100}$' then ${text}::numeric end`;
    case "boolean":
      return sql`case when ${kind} = 'boolean' then ${text}::boolean end`;
    case "date":
      return sql`case when ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then ${text}::date end`;
    case "time":
      return sql`case when ${text} ~ '^[0-9]{2}:[0-9]{2}:[0-9]{2}' then ${text}::time end`;
    case "instant":
    case "epoch":
      return sql`case when ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T' then ${text}::timestamptz at time zone 'UTC' end`;
    case "text":
    case "json":
      return text;
  }
};

const NUMBERS: ReadonlySet<ScalarForm> = new Set(["integer", "number", "decimal", "digits"]);

/** Whether a text contains that of a pattern. */
export const hasText =
  (pattern: Slot) =>
  (text: SQL): SQL =>
    sql`lower(${text}::text) like lower(${slot(pattern)}::text)`;

/**
 * SQL for `_q`: any searchable attribute that the caller may see contains the text. Numbers are searched if the text is
 * a number, components, zones and blocks if the configuration says so.
 */
export const searchIn = (
  { row, build }: Scope,
  { pattern, numbers, deep }: Extract<Condition, { kind: "search" }>,
): SQL => {
  const like = hasText(pattern);
  const membersOf = (uid: ComponentUid) => build.schema.component(uid).members.values();
  const matches: SQL[] = [];
  for (const member of row.owner.members.values()) {
    if (member.hidden || member.secret || !("column" in member) || member.column === undefined) continue;
    const value = sql`${row.column(member.column)}`;
    const isText = member.kind === "scalar" && member.type !== "blocks";
    if (!isText && deep)
      matches.push(...matchesIn(sql`${value}::jsonb`, textPathsOf(member, membersOf), numbers, like));
    if (!isText || !member.searchable) continue;
    const form = formOf(member.type);
    if (form === "text" || (numbers && NUMBERS.has(form))) matches.push(like(value));
  }
  return sql`(${or(...matches) ?? sql.raw("false")})`;
};
