/** Statements that write a relation from its inverse side, which does not store it. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, type Statement, statementOf, type Values } from "../../database/statement.ts";
import type { ContentType, DocumentLinkTable, ToOneRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import {
  type ColumnKeeper,
  inScope,
  type Keeper,
  type LinkKeeper,
  linksOf,
  placeOf,
  type Scope,
  scopeKey,
  targetOf,
  versionsWithLinks,
} from "./keeper.ts";
import { endOfList, hasStatus, list, named, value } from "./version.ts";

const valuesOf = (documentId: string, { locale }: Scope) => ({ documentId, ...(locale === null ? {} : { locale }) });

/** Selects the documents that are in the inverse list now, in its order. */
export const selectInverse = (keeper: Keeper, documentId: string, scope: Scope): Bound => ({
  statement: statementOf(keeper.type.table, `inverse list of ${keeper.name} ${scopeKey(scope)}`, () => {
    const { table } = keeper.type;
    const place = placeOf(keeper);
    const order = place ? sql`min(${place}), ${table.documentId}` : sql`min(${table.id})`;
    return sql`select ${table.documentId} from ${versionsWithLinks(keeper)} where ${targetOf(keeper)} = ${value("documentId")} and ${inScope(keeper, scope)} group by ${table.documentId} order by ${order}`;
  }),
  values: valuesOf(documentId, scope),
});

/** The change of an inverse list. Documents that it does not name stay unchanged. */
export interface InverseChange {
  readonly remove: readonly string[];
  readonly add: readonly Added[];
  /** The documents in the order of their new positions; empty if additions go to the end. */
  readonly order: readonly string[];
}

export interface Added {
  readonly documentId: string;
  /** The locale of the version that stores the link, if its type has locales. */
  readonly locale: string;
}

/** Adds and removes links to `documentId` in versions in `scope`, and sets their positions in its inverse list. */
export const changeInverse = (
  keeper: Keeper,
  documentId: string,
  scope: Scope,
  { remove, add, order }: InverseChange,
): readonly Bound[] => {
  const statements = "link" in keeper ? linkStatements(keeper, scope) : columnStatements(keeper, scope);
  const bind = (statement: Statement, values: Values): Bound => ({
    statement,
    values: { ...valuesOf(documentId, scope), ...values },
  });
  const bound: Bound[] = [];
  if (remove.length > 0) bound.push(bind(statements.remove(), { keys: remove }));
  if (add.length > 0) {
    const keys = add.map((each) => each.documentId);
    const locales = keeper.type.table.locale ? { locales: add.map(({ locale }) => locale) } : {};
    const isOrdered = order.length > 0;
    const places = isOrdered ? { places: keys.map((key) => order.indexOf(key) + 1) } : {};
    bound.push(bind(statements.add(isOrdered), { keys, ...locales, ...places }));
  }
  // Added links have their position already; but with locales, versions in locales that were not named have not.
  const isLeft = order.length > add.length || (keeper.type.localized && scope.locale === null);
  if (order.length > 0 && isLeft && placeOf(keeper)) bound.push(bind(statements.order(), { keys: order }));
  return bound;
};

/** The versions in scope that `keys` (and `locales`, if there are any) name; `place` is their position in the list. */
const wanted = (keeper: Keeper, isOrdered: boolean): { readonly from: SQL; readonly on: SQL; readonly place: SQL } => {
  const { table } = keeper.type;
  const columns = [
    sql`${value("keys")}::text[]`,
    ...(table.locale ? [sql`${value("locales")}::text[]`] : []),
    ...(isOrdered ? [sql`${value("places")}::int[]`] : []),
  ];
  const names = ["key", ...(table.locale ? ["locale"] : []), ...(isOrdered ? ["place"] : []), "number"];
  const place = placeOf(keeper);
  const end = place && endOfList(linksOf(keeper), targetOf(keeper), place, value("documentId"));
  return {
    from: sql`unnest(${list(columns)}) with ordinality as wanted(${sql.raw(names.join(", "))})`,
    on: sql`${table.documentId} = wanted.key${table.locale ? sql` and ${table.locale} = wanted.locale` : sql``}`,
    place: isOrdered ? sql`wanted.place` : sql`${end ?? sql`0`} + wanted.number - 1`,
  };
};

const amongKeys = ({ type: { table } }: Keeper): SQL => sql`${table.documentId} = any(${value("keys")}::text[])`;

/** The conflict clause for links that exist already: updates their position in the list. */
export const moved = ({ inversePosition: place }: DocumentLinkTable): SQL =>
  place
    ? sql`do update set ${named(place)} = excluded.${named(place)} where ${place} is distinct from excluded.${named(place)}`
    : sql`do nothing`;

/** Sets the positions of existing links, in the order of `keys`. */
const ordering = (keeper: Keeper, place: AnyPgColumn, scope: Scope) => ({
  set: sql`${named(place)} = wanted.place`,
  from: sql`unnest(${value("keys")}::text[]) with ordinality as wanted(key, place)`,
  where: sql`${targetOf(keeper)} = ${value("documentId")} and ${keeper.type.table.documentId} = wanted.key and ${inScope(keeper, scope)} and ${place} is distinct from wanted.place`,
});

interface Statements {
  remove(): Statement;
  add(isOrdered: boolean): Statement;
  order(): Statement;
}

const linkStatements = (keeper: LinkKeeper, scope: Scope): Statements => {
  const { link, type } = keeper;
  const { table } = type;
  const inverse = link.inversePosition;
  return {
    remove: () =>
      statementOf(
        link,
        `inverse remove ${scopeKey(scope)}`,
        () =>
          sql`delete from ${link} using ${table} where ${link.versionId} = ${table.id} and ${link.documentId} = ${value("documentId")} and ${inScope(keeper, scope)} and ${amongKeys(keeper)}`,
      ),
    add: (isOrdered) =>
      statementOf(link, `inverse add ${isOrdered ? "in order" : ""} ${scopeKey(scope)}`, () => {
        const { from, on, place } = wanted(keeper, isOrdered);
        const columns = [link.versionId, link.documentId, link.position, ...(inverse ? [inverse] : [])];
        return sql`insert into ${link} (${list(columns.map(named))}) select ${table.id}, ${value("documentId")}, (select coalesce(max(own.position), 0) + 1 from (select ${link.versionId} as version, ${link.position} as position from ${link}) as own where own.version = ${table.id})${inverse ? sql`, ${place}` : sql``} from ${from} join ${table} on ${on} where ${inScope(keeper, scope)} on conflict (${named(link.versionId)}, ${named(link.documentId)}) ${moved(link)}`;
      }),
    order: () =>
      statementOf(link, `inverse order ${scopeKey(scope)}`, () => {
        const { set, from, where } = ordering(keeper, inverse ?? link.position, scope);
        return sql`update ${link} set ${set} from ${table}, ${from} where ${link.versionId} = ${table.id} and ${where}`;
      }),
  };
};

type Assignment = readonly [column: AnyPgColumn, to: SQL];

/** Assignments for the relation's columns; `place` is the position in the inverse list, if it has one. */
export const assignments = (
  { column: target, position }: ColumnKeeper,
  to: SQL,
  place: (position: AnyPgColumn) => SQL,
): readonly Assignment[] => [[target, to], ...(position ? [[position, place(position)] as const] : [])];

export const assigned = (all: readonly Assignment[]): SQL => list(all.map(([each, to]) => sql`${named(each)} = ${to}`));

/** Whether a row would change; other rows are not updated. */
export const differs = (all: readonly Assignment[], present: (column: AnyPgColumn) => SQL): SQL =>
  sql`(${sql.join(
    all.map(([each, to]) => sql`${present(each)} is distinct from ${to}`),
    sql` or `,
  )})`;

const columnStatements = (keeper: ColumnKeeper, scope: Scope): Statements => {
  const { column, position, type, name } = keeper;
  const { table } = type;
  return {
    remove: () =>
      statementOf(table, `inverse remove ${name} ${scopeKey(scope)}`, () => {
        const none = assignments(keeper, sql`null`, () => sql`null`);
        return sql`update ${table} set ${assigned(none)} where ${column} = ${value("documentId")} and ${inScope(keeper, scope)} and ${amongKeys(keeper)}`;
      }),
    add: (isOrdered) =>
      statementOf(table, `inverse add ${name} ${isOrdered ? "in order" : ""} ${scopeKey(scope)}`, () => {
        const { from, on, place } = wanted(keeper, isOrdered);
        const listed = assignments(keeper, value("documentId"), () => place);
        return sql`update ${table} set ${assigned(listed)} from ${from} where ${on} and ${inScope(keeper, scope)} and ${differs(listed, (each) => sql`${each}`)}`;
      }),
    order: () =>
      statementOf(table, `inverse order ${name} ${scopeKey(scope)}`, () => {
        const { set, from, where } = ordering(keeper, position ?? column, scope);
        return sql`update ${table} set ${set} from ${from} where ${where}`;
      }),
  };
};

/** Removes the links of other versions to a document, because in a one-to-one relation it has only one owner. */
export const takeOver = (
  type: ContentType,
  name: string,
  column: ToOneRelation["column"],
  { status, documentId, locale, target }: { status: Status; documentId: string; locale: string | null; target: string },
): Bound => ({
  statement: statementOf(type.table, `take over ${name} ${status}`, () => {
    const { table } = type;
    const same = table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    return sql`update ${table} set ${named(column)} = null where ${column} = ${value("target")} and ${table.documentId} <> ${value("documentId")} and ${hasStatus(type, status)}${same}`;
  }),
  values: { documentId, target, ...(locale === null ? {} : { locale }) },
});
