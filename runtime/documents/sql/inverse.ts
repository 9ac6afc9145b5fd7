/** Relations written or published from the side that does not store them. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ContentType, DocumentLinkTable, ToOneRelation } from "../../schema/content-type.ts";
import type { State } from "../context.ts";
import { type Bound, statementOf } from "./statement.ts";
import { inState, list, named, value } from "./version.ts";

/** The attribute that stores the relation, and the type that it belongs to. */
export type Keeper =
  | {
      readonly type: ContentType;
      readonly name: string;
      readonly column: ToOneRelation["column"];
      readonly position: ToOneRelation["inversePosition"];
    }
  | { readonly type: ContentType; readonly name: string; readonly link: DocumentLinkTable };

/** Which versions of the other side take part. */
export interface Scope {
  readonly states: State | "both";
  /** Set when both sides have locales. */
  readonly locale: string | null;
}

const scopeKey = ({ states, locale }: Scope): string => `${states} ${locale === null ? "" : "locale"}`;

const inScope = ({ type }: Keeper, { states, locale }: Scope): SQL => {
  const state = states === "both" ? sql`true` : inState(type, states);
  const { locale: column } = type.table;
  return column && locale !== null ? sql`${state} and ${column} = ${value("locale")}` : state;
};

const valuesOf = (documentId: string, { locale }: Scope) => ({ documentId, ...(locale === null ? {} : { locale }) });

/** The documents that the other side's list has now, in its order. */
export const selectInverse = (keeper: Keeper, documentId: string, scope: Scope): Bound => ({
  statement: statementOf(keeper.type.table, `inverse list of ${keeper.name} ${scopeKey(scope)}`, () => {
    const { table } = keeper.type;
    const place = "link" in keeper ? keeper.link.inversePosition : keeper.position;
    const order = place ? sql`min(${place}), min(${table.id})` : sql`min(${table.id})`;
    const from =
      "link" in keeper ? sql`${keeper.link} join ${table} on ${table.id} = ${keeper.link.versionId}` : sql`${table}`;
    const points = "link" in keeper ? keeper.link.documentId : keeper.column;
    return sql`select ${table.documentId} from ${from} where ${points} = ${value("documentId")} and ${inScope(keeper, scope)} group by ${table.documentId} order by ${order}`;
  }),
  values: valuesOf(documentId, scope),
});

/** Whether a version of the other side leads to the document already. */
const leadsHere = (keeper: Keeper): SQL => {
  const here = value("documentId");
  if (!("link" in keeper)) return sql`${keeper.column} = ${here}`;
  const { link, type } = keeper;
  return sql`exists (select 1 from ${link} as present where present.${named(link.versionId)} = ${type.table.id} and present.${named(link.documentId)} = ${here})`;
};

/**
 * The versions that a list of documents means. `locales` names one for each where the other side has locales; an empty
 * one means the versions that lead here already, which only move.
 */
const wanted = (keeper: Keeper): { from: SQL; on: SQL } => {
  const { table } = keeper.type;
  if (!table.locale) {
    return {
      from: sql`unnest(${value("keys")}::text[]) with ordinality as wanted(key, place)`,
      on: sql`${table.documentId} = wanted.key`,
    };
  }
  return {
    from: sql`unnest(${value("keys")}::text[], ${value("locales")}::text[]) with ordinality as wanted(key, locale, place)`,
    on: sql`${table.documentId} = wanted.key and (${table.locale} = wanted.locale or wanted.locale = '' and ${leadsHere(keeper)})`,
  };
};

export interface InverseList {
  readonly keys: readonly string[];
  /** The locale of each target, where the other side has locales; empty for those that stay as they are. */
  readonly locales: readonly string[];
}

/** Makes `keys` the list of documents whose versions in scope lead to `documentId`. */
export const setInverse = (
  keeper: Keeper,
  documentId: string,
  scope: Scope,
  { keys, locales }: InverseList,
): readonly Bound[] => {
  const values = {
    ...valuesOf(documentId, scope),
    keys: [...keys],
    ...(keeper.type.table.locale ? { locales: [...locales] } : {}),
  };
  const statements = "link" in keeper ? linkStatements(keeper, scope) : columnStatements(keeper, scope);
  return statements.map((statement) => ({ statement, values }));
};

type LinkKeeper = Extract<Keeper, { readonly link: unknown }>;
type ColumnKeeper = Exclude<Keeper, LinkKeeper>;

/** What becomes of a link that is there: it takes its place in the list. */
const moved = ({ inversePosition: place }: DocumentLinkTable): SQL =>
  place
    ? sql`do update set ${named(place)} = excluded.${named(place)} where ${place} is distinct from excluded.${named(place)}`
    : sql`do nothing`;

const linkStatements = (keeper: LinkKeeper, scope: Scope) => {
  const { link, type } = keeper;
  const { table } = type;
  return [
    statementOf(
      link,
      `inverse remove ${scopeKey(scope)}`,
      () =>
        sql`delete from ${link} using ${table} where ${link.versionId} = ${table.id} and ${link.documentId} = ${value("documentId")} and ${inScope(keeper, scope)} and not (${table.documentId} = any(${value("keys")}::text[]))`,
    ),
    statementOf(link, `inverse add ${scopeKey(scope)}`, () => {
      const { from, on } = wanted(keeper);
      const inverse = link.inversePosition;
      const columns = [link.versionId, link.documentId, link.position, ...(inverse ? [inverse] : [])];
      return sql`insert into ${link} (${list(columns.map(named))}) select ${table.id}, ${value("documentId")}, (select coalesce(max(own.position), 0) + 1 from (select ${link.versionId} as version, ${link.position} as position from ${link}) as own where own.version = ${table.id})${inverse ? sql`, wanted.place` : sql``} from ${from} join ${table} on ${on} where ${inScope(keeper, scope)} on conflict (${named(link.versionId)}, ${named(link.documentId)}) ${moved(link)}`;
    }),
  ];
};

type Assignment = readonly [column: AnyPgColumn, to: SQL];

/** What the relation's columns become; `place` is for the position in the list, where there is one. */
const assignments = (
  { column: target, position }: ColumnKeeper,
  to: SQL,
  place: (position: AnyPgColumn) => SQL,
): readonly Assignment[] => [[target, to], ...(position ? [[position, place(position)] as const] : [])];

const assigned = (all: readonly Assignment[]): SQL => list(all.map(([each, to]) => sql`${named(each)} = ${to}`));

/** Whether a row has other values: it is left alone otherwise. */
const differs = (all: readonly Assignment[], present: (column: AnyPgColumn) => SQL): SQL =>
  sql`(${sql.join(
    all.map(([each, to]) => sql`${present(each)} is distinct from ${to}`),
    sql` or `,
  )})`;

const columnStatements = (keeper: ColumnKeeper, scope: Scope) => {
  const { column, type, name } = keeper;
  const { table } = type;
  return [
    statementOf(table, `inverse clear ${name} ${scopeKey(scope)}`, () => {
      const none = assignments(keeper, sql`null`, () => sql`null`);
      return sql`update ${table} set ${assigned(none)} where ${column} = ${value("documentId")} and ${inScope(keeper, scope)} and not (${table.documentId} = any(${value("keys")}::text[]))`;
    }),
    statementOf(table, `inverse set ${name} ${scopeKey(scope)}`, () => {
      const { from, on } = wanted(keeper);
      const listed = assignments(keeper, value("documentId"), () => sql`wanted.place`);
      return sql`update ${table} set ${assigned(listed)} from ${from} where ${on} and ${inScope(keeper, scope)} and ${differs(listed, (each) => sql`${each}`)}`;
    }),
  ];
};

/** Takes a document away from the versions that led to it before: a one-to-one relation has one owner. */
export const takeOver = (
  type: ContentType,
  name: string,
  column: ToOneRelation["column"],
  { state, documentId, locale, target }: { state: State; documentId: string; locale: string | null; target: string },
): Bound => ({
  statement: statementOf(type.table, `take over ${name} ${state}`, () => {
    const { table } = type;
    const same = table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    return sql`update ${table} set ${named(column)} = null where ${column} = ${value("target")} and ${table.documentId} <> ${value("documentId")} and ${inState(type, state)}${same}`;
  }),
  values: { documentId, target, ...(locale === null ? {} : { locale }) },
});

/**
 * Makes the published versions of the other side lead to `documentId` where their drafts do, and nowhere else: the
 * relation is published from this side.
 */
export const publishInverse = (keeper: Keeper, documentId: string, locale: string | null): readonly Bound[] => {
  const statements = "link" in keeper ? publishLinks(keeper, locale !== null) : publishColumn(keeper, locale !== null);
  return statements.map((statement) => ({ statement, values: { documentId, ...(locale === null ? {} : { locale }) } }));
};

const column = (table: "draft" | "published", { name }: { readonly name: string }): SQL =>
  sql`${sql.identifier(table)}.${sql.identifier(name)}`;

/** Draft and published version of one document and locale. */
const pairs = ({ type }: Keeper, hasLocale: boolean) => {
  const { locale } = type.table;
  const sameLocale = locale ? sql` and ${column("draft", locale)} = ${column("published", locale)}` : sql``;
  const inLocale = locale && hasLocale ? sql` and ${column("published", locale)} = ${value("locale")}` : sql``;
  const { documentId, publishedAt, id } = type.table;
  return {
    id: column("published", id),
    match: sql`${column("draft", documentId)} = ${column("published", documentId)}${sameLocale} and ${column("draft", publishedAt)} is null and ${column("published", publishedAt)} is not null${inLocale}`,
  };
};

const publishLinks = (keeper: LinkKeeper, hasLocale: boolean) => {
  const { link, type } = keeper;
  const key = hasLocale ? "locale" : "";
  return [
    statementOf(link, `publish inverse remove ${key}`, () => {
      const { match, id } = pairs(keeper, hasLocale);
      const draftLink = sql`select 1 from ${link} as kept where kept.${named(link.versionId)} = ${column("draft", type.table.id)} and kept.${named(link.documentId)} = ${value("documentId")}`;
      return sql`delete from ${link} using ${type.table} as published, ${type.table} as draft where ${link.versionId} = ${id} and ${link.documentId} = ${value("documentId")} and ${match} and not exists (${draftLink})`;
    }),
    statementOf(link, `publish inverse add ${key}`, () => {
      const { match, id } = pairs(keeper, hasLocale);
      const inverse = link.inversePosition;
      const columns = [link.versionId, link.documentId, link.position, ...(inverse ? [inverse] : [])];
      const copied = [link.position, ...(inverse ? [inverse] : [])];
      return sql`insert into ${link} (${list(columns.map(named))}) select ${id}, ${value("documentId")}, ${list(copied.map((each) => sql`${each}`))} from ${link} join ${type.table} as draft on ${column("draft", type.table.id)} = ${link.versionId} join ${type.table} as published on ${match} where ${link.documentId} = ${value("documentId")} and ${column("published", type.table.documentId)} <> ${value("documentId")} on conflict (${named(link.versionId)}, ${named(link.documentId)}) ${moved(link)}`;
    }),
  ];
};

const publishColumn = (keeper: ColumnKeeper, hasLocale: boolean) => {
  const { column: stored, type, name } = keeper;
  return [
    statementOf(type.table, `publish inverse ${name} ${hasLocale ? "locale" : ""}`, () => {
      const { match } = pairs(keeper, hasLocale);
      const leads = sql`${column("draft", stored)} = ${value("documentId")} and ${column("draft", type.table.documentId)} <> ${value("documentId")}`;
      const asInDraft = assignments(
        keeper,
        sql`case when ${leads} then ${value("documentId")} end`,
        (position) => sql`case when ${leads} then ${column("draft", position)} end`,
      );
      return sql`update ${type.table} as published set ${assigned(asInDraft)} from ${type.table} as draft where ${match} and (${leads} or ${column("published", stored)} = ${value("documentId")}) and ${differs(asInDraft, (each) => column("published", each))}`;
    }),
  ];
};
