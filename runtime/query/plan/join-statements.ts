/** Statements that read rows by their parents: all rows of each parent, or a part of each parent's list. */
import { and, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { builder } from "../../database/statement.ts";
import type { Window } from "../query.ts";
import { input } from "../sql/compile.ts";
import { inOrder, type OrderKey } from "../sql/order.ts";
import { linkTable, type LinkStep } from "../sql/reach.ts";
import { localeColumn, type RowScope, tableOf } from "../sql/scope.ts";
import { anyOf } from "./groups.ts";
import type { JoinPlan } from "./plan.ts";
import type { Selection } from "./selection.ts";

/** How rows refer to their parents. */
export interface Tie {
  readonly link: LinkStep | undefined;
  /** The column with the parent's key. */
  readonly key: AnyPgColumn;
  readonly parentKey: "id" | "documentId";
  readonly condition: SQL | undefined;
  /** The column with the stored order of the list. */
  readonly position: AnyPgColumn | undefined;
}

/** Which locales of the rows belong to a parent. */
export interface LocaleRule {
  readonly kind: JoinPlan["locale"];
  condition(scope: RowScope): SQL | undefined;
}

/** The parts of a statement that reads by parents. */
export interface Joining {
  readonly scope: RowScope;
  readonly tie: Tie;
  readonly locale: LocaleRule;
  readonly fields: Selection["fields"];
  readonly order: readonly OrderKey[];
  readonly condition: SQL | undefined;
}

/** A statement, and whether it takes the locale of each parent next to its key. */
export interface JoinQuery extends Pick<JoinPlan, "paired"> {
  readonly query: SQLWrapper;
}

const keyType = ({ parentKey }: Tie): SQL => sql.raw(parentKey === "id" ? "int" : "text");

/** Reads all rows of all parents. */
export const whole = (joining: Joining): JoinQuery => ({
  query: rowsOf(joining, joining.fields, whereOf(joining)).orderBy(...joining.order.map(inOrder)),
  paired: false,
});

const whereOf = ({ scope, tie, locale, condition }: Joining): SQL | undefined => {
  const keyed = sql`${tie.key} = any(${input("keys")}::${keyType(tie)}[])`;
  const inLocale = locale.kind === "same" ? anyOf(localeColumn(scope)) : locale.condition(scope);
  return and(keyed, inLocale, condition);
};

/**
 * Lists of an inverse side may be long, and have an index in their order. A list that its owner stores is short, since
 * it is written in one request.
 */
const isLong = ({ tie }: Joining): boolean => tie.parentKey === "documentId";

const isPaired = ({ locale: { kind } }: Joining): boolean => kind === "same" || kind === "other";

/** Reads a part of each parent's list. */
export const windowed = (joining: Joining, window: Window): JoinQuery =>
  isLong(joining)
    ? { query: parentByParent(joining, window), paired: isPaired(joining) }
    : { query: ranked(joining, window), paired: false };

/**
 * Reads the parents' lists one after the other (lateral join), so that the database stops at the end of each part.
 * Passes the parents' locales along if they matter.
 */
const parentByParent = (joining: Joining, { start, limit }: Window): SQL => {
  const { scope, tie, locale, fields, order, condition } = joining;
  const paired = isPaired(joining);
  const inLocale = paired
    ? sql`${localeColumn(scope)} ${sql.raw(locale.kind === "same" ? "=" : "<>")} parent.locale`
    : locale.condition(scope);
  const rows = rowsOf(joining, fields, and(sql`${tie.key} = parent.key`, inLocale, condition)).orderBy(
    ...order.map(inOrder),
  );
  const keys = sql`${input("keys")}::${keyType(tie)}[]`;
  const parents = paired
    ? sql`unnest(${keys}, ${input("locales")}::text[]) as parent(key, locale)`
    : sql`unnest(${keys}) as parent(key)`;
  return sql`select shown.* from ${parents} cross join lateral (${rows.getSQL()} limit ${limit} offset ${start}) as shown`;
};

/** Reads all lists in one pass, and numbers the rows within their list. */
const ranked = (joining: Joining, { start, limit }: Window): SQL => {
  return sql`select * from (${placed(joining)}) as listed where place > ${start}::bigint and place <= ${start}::bigint + ${limit}::bigint order by place`;
};

const listOf = (keys: readonly OrderKey[]): SQL => sql.join(keys.map(inOrder), sql`, `);

const placed = (joining: Joining): SQL => {
  const { scope, tie, locale, fields, order } = joining;
  const list = locale.kind === "same" ? sql`${tie.key}, ${localeColumn(scope)}` : sql`${tie.key}`;
  const place = sql`row_number() over (partition by ${list} order by ${listOf(order)}) as place`;
  return rowsOf(joining, { ...fields, place }, whereOf(joining)).getSQL();
};

const rowsOf = ({ scope, tie }: Joining, fields: Selection["fields"], where: SQL | undefined) => {
  const select = builder.select(fields);
  const from = tie.link
    ? select.from(linkTable(tie.link)).innerJoin(tableOf(scope), tie.link.on)
    : select.from(tableOf(scope));
  return from.where(where);
};
