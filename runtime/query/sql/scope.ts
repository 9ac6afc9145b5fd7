/** Where names are resolved in SQL: the columns of an aliased table, or the keys of a component's JSON. */
import { aliasedTable, aliasedTableColumn, type SQL, sql, or } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { nameLiteral } from "../../database/name-literal.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import type { AnyStatus, Condition } from "../query.ts";
import type { Member, Owner, ScalarMember, Schema, TypeOwner } from "../schema.ts";
import { slot } from "./compile.ts";

/** Creates the table aliases of one statement. */
export class Aliases {
  #count = 0;

  next(): string {
    this.#count += 1;
    return `t${this.#count}`;
  }
}

export interface Build {
  readonly schema: Schema;
  readonly aliases: Aliases;
}

export interface RowScope {
  readonly kind: "row";
  readonly owner: TypeOwner;
  readonly alias: string;
  /** The status that the rows are known to have. */
  readonly status: AnyStatus;
}

export interface JsonScope {
  readonly kind: "json";
  readonly owner: Owner;
  /** The JSON object of the component. */
  readonly value: SQL;
  /** The row that contains it. */
  readonly row: RowScope;
}

export type Scope = RowScope | JsonScope;

export const rowOf = (scope: Scope): RowScope => (scope.kind === "row" ? scope : scope.row);

export const rowScope = ({ aliases }: Build, owner: TypeOwner, status: AnyStatus): RowScope => ({
  kind: "row",
  owner,
  alias: aliases.next(),
  status,
});

export const tableOf = ({ owner, alias }: RowScope): PgTable => aliasedTable(owner.type.table, alias);

export const columnIn = (column: AnyPgColumn, alias: string): AnyPgColumn => aliasedTableColumn(column, alias);

/** A system column of the row. */
export const systemColumn = (
  { owner, alias }: RowScope,
  name: "id" | "documentId" | "publishedAt" | "updatedAt",
): AnyPgColumn => columnIn(owner.type.table[name], alias);

export const localeColumn = ({ owner, alias }: RowScope): AnyPgColumn => {
  const { locale } = owner.type.table;
  if (locale === undefined) throw new Error(`${owner.uid} is not localized`);
  return columnIn(locale, alias);
};

/** The member of that name. The check has found it before, so a missing one is a bug. */
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
    const column = columnIn(member.column, scope.alias);
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

/** What a text is looked for in: texts, and numbers if it is one. */
const SEARCHED: Readonly<Record<ScalarForm, "always" | "number" | "never">> = {
  text: "always",
  integer: "number",
  number: "number",
  decimal: "number",
  digits: "number",
  boolean: "never",
  date: "never",
  time: "never",
  instant: "never",
  epoch: "never",
  json: "never",
};

/**
 * SQL for `_q`: any searchable attribute that the caller may see contains the text. Numbers are searched if the text is
 * a number.
 */
export const searchIn = (scope: Scope, { pattern, numbers }: Extract<Condition, { kind: "search" }>): SQL => {
  const matches: SQL[] = [];
  for (const member of scope.owner.members.values()) {
    if (member.kind !== "scalar" || member.hidden || member.secret || !member.searchable) continue;
    const searched = SEARCHED[formOf(member.type)];
    if (searched === "never" || (searched === "number" && !numbers)) continue;
    matches.push(sql`lower(${fieldIn(scope, member)}::text) like lower(${slot(pattern)}::text)`);
  }
  return sql`(${or(...matches) ?? sql.raw("false")})`;
};
