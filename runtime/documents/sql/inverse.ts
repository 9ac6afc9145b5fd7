/** Statements that write and publish a relation from its inverse side, which does not store it. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, statementOf, type Values } from "../../database/database.ts";
import type { AnyStatus } from "../../query/query.ts";
import type { ContentType, DocumentLinkTable, ToOneRelation } from "../../schema/content-type.ts";
import type { Touching } from "./allowed.ts";
import { endOfList, hasStatus, inLocale, list, named, value, type VersionKey } from "./version.ts";

interface Storing {
  readonly type: ContentType;
  /** The name of the attribute. */
  readonly name: string;
}

export interface OwningLink extends Storing {
  readonly link: DocumentLinkTable;
}

export interface OwningColumn extends Storing {
  readonly column: ToOneRelation["column"];
  readonly position: ToOneRelation["inversePosition"];
}

/** The attribute that stores the relation, and its type. */
export type OwningSide = OwningLink | OwningColumn;

/** The table in which each row is a link. */
export const linksOf = (owning: OwningSide): DocumentLinkTable | ContentType["table"] =>
  "link" in owning ? owning.link : owning.type.table;

/** The column with the documentId that a link leads to. */
export const targetOf = (owning: OwningSide): AnyPgColumn =>
  "link" in owning ? owning.link.documentId : owning.column;

/** The column that orders all links to one document; undefined if they are unordered. */
export const positionOf = (owning: OwningSide): AnyPgColumn | undefined =>
  "link" in owning ? owning.link.inversePosition : owning.position;

/** The versions that store links, joined with these links. */
export const versionsWithLinks = (owning: OwningSide): SQL => {
  const { table } = owning.type;
  if (!("link" in owning)) return sql`${table}`;
  return sql`${owning.link} join ${table} on ${table.id} = ${owning.link.versionId}`;
};

/** Which versions of the storing side are affected. */
export interface Scope {
  readonly status: AnyStatus;
  /** Set if both sides have locales. */
  readonly locale: string | null;
}

/** A key that tells statements for different scopes apart. */
export const scopeKey = ({ status, locale }: Scope): string => `${status} ${locale === null ? "" : "locale"}`;

export const inScope = ({ type }: OwningSide, { status, locale }: Scope): SQL => {
  const wanted = status === "either" ? sql`true` : hasStatus(type, status);
  const { locale: column } = type.table;
  return column && locale !== null ? sql`${wanted} and ${column} = ${value("locale")}` : wanted;
};

/** Selects the documents that are in the inverse list now, in its order. */
export const selectInverse = (owning: OwningSide, documentId: string, scope: Scope): Bound => ({
  statement: statementOf(owning.type.table, `inverse list of ${owning.name} ${scopeKey(scope)}`, () => {
    const { table } = owning.type;
    const position = positionOf(owning);
    const order = position ? sql`min(${position}), ${table.documentId}` : sql`min(${table.id})`;
    return sql`select ${table.documentId} from ${versionsWithLinks(owning)} where ${targetOf(owning)} = ${value("documentId")} and ${inScope(owning, scope)} group by ${table.documentId} order by ${order}`;
  }),
  values: { documentId, locale: scope.locale },
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
  owning: OwningSide,
  documentId: string,
  scope: Scope,
  { remove, add, order }: InverseChange,
): readonly Bound[] => {
  const bind = (purpose: string, query: () => SQL, values: Values): Bound => ({
    statement: statementOf(linksOf(owning), `inverse ${purpose} ${owning.name} ${scopeKey(scope)}`, query),
    values: { documentId, locale: scope.locale, ...values },
  });
  const bound: Bound[] = [];
  const isOrdered = order.length > 0;
  if (remove.length > 0) bound.push(bind("remove", () => removal(owning, scope), { keys: remove }));
  if (add.length > 0) {
    const keys = add.map((each) => each.documentId);
    const locales = owning.type.table.locale ? { locales: add.map(({ locale }) => locale) } : {};
    const places = isOrdered ? { places: keys.map((key) => order.indexOf(key) + 1) } : {};
    const purpose = isOrdered ? "add in order" : "add";
    bound.push(bind(purpose, () => addition(owning, scope, isOrdered), { keys, ...locales, ...places }));
  }
  // Added links already have their position; but with locales, versions in unnamed locales have none yet.
  const isLeft = order.length > add.length || (owning.type.localized && scope.locale === null);
  const position = positionOf(owning);
  if (isOrdered && isLeft && position)
    bound.push(bind("order", () => ordering(owning, position, scope), { keys: order }));
  return bound;
};

/** Joins links to their versions, if they are stored apart. */
const ofVersion = (owning: OwningSide): SQL =>
  "link" in owning ? sql`${owning.link.versionId} = ${owning.type.table.id} and ` : sql``;

/** Removes the links of the documents in `keys`. */
const removal = (owning: OwningSide, scope: Scope): SQL => {
  const { table } = owning.type;
  const change =
    "link" in owning
      ? sql`delete from ${owning.link} using ${table}`
      : sql`update ${table} set ${assigned(assignments(owning, sql`null`, () => sql`null`))}`;
  return sql`${change} where ${ofVersion(owning)}${targetOf(owning)} = ${value("documentId")} and ${inScope(owning, scope)} and ${table.documentId} = any(${value("keys")}::text[])`;
};

/** The versions in scope that `keys` (and `locales`, if there are any) name; `position` is their position in the list. */
const wanted = (
  owning: OwningSide,
  isOrdered: boolean,
): { readonly from: SQL; readonly on: SQL; readonly position: SQL } => {
  const { table } = owning.type;
  const columns = [
    sql`${value("keys")}::text[]`,
    ...(table.locale ? [sql`${value("locales")}::text[]`] : []),
    ...(isOrdered ? [sql`${value("places")}::int[]`] : []),
  ];
  const names = ["key", ...(table.locale ? ["locale"] : []), ...(isOrdered ? ["position"] : []), "number"];
  const position = positionOf(owning);
  const end = position && endOfList(linksOf(owning), targetOf(owning), position, value("documentId"));
  return {
    from: sql`unnest(${list(columns)}) with ordinality as wanted(${sql.raw(names.join(", "))})`,
    on: sql`${table.documentId} = wanted.key${table.locale ? sql` and ${table.locale} = wanted.locale` : sql``}`,
    position: isOrdered ? sql`wanted.position` : sql`${end ?? sql`0`} + wanted.number - 1`,
  };
};

/** The link columns to write, and the conflict clause that moves existing links. */
const insertion = (link: DocumentLinkTable) => {
  const { versionId, documentId, position, inversePosition: inverse } = link;
  const columns = [versionId, documentId, position, ...(inverse ? [inverse] : [])].map(named);
  const moved = inverse
    ? sql`do update set ${named(inverse)} = excluded.${named(inverse)} where ${inverse} is distinct from excluded.${named(inverse)}`
    : sql`do nothing`;
  return {
    into: sql`insert into ${link} (${list(columns)})`,
    onConflict: sql`on conflict (${named(versionId)}, ${named(documentId)}) ${moved}`,
  };
};

/** Adds links of the documents in `keys`. */
const addition = (owning: OwningSide, scope: Scope, isOrdered: boolean): SQL => {
  const { table } = owning.type;
  const { from, on, position } = wanted(owning, isOrdered);
  if (!("link" in owning)) {
    const listed = assignments(owning, value("documentId"), () => position);
    return sql`update ${table} set ${assigned(listed)} from ${from} where ${on} and ${inScope(owning, scope)} and ${differs(listed, (each) => sql`${each}`)}`;
  }
  const { link } = owning;
  const { into, onConflict } = insertion(link);
  const end = sql`(select coalesce(max(own.position), 0) + 1 from (select ${link.versionId} as version, ${link.position} as position from ${link}) as own where own.version = ${table.id})`;
  const inverse = link.inversePosition ? sql`, ${position}` : sql``;
  return sql`${into} select ${table.id}, ${value("documentId")}, ${end}${inverse} from ${from} join ${table} on ${on} where ${inScope(owning, scope)} ${onConflict}`;
};

/** Sets the positions of existing links, in the order of `keys`. */
const ordering = (owning: OwningSide, position: AnyPgColumn, scope: Scope): SQL => {
  const { table } = owning.type;
  const tables = "link" in owning ? sql`${table}, ` : sql``;
  return sql`update ${linksOf(owning)} set ${named(position)} = wanted.position from ${tables}unnest(${value("keys")}::text[]) with ordinality as wanted(key, position) where ${ofVersion(owning)}${targetOf(owning)} = ${value("documentId")} and ${table.documentId} = wanted.key and ${inScope(owning, scope)} and ${position} is distinct from wanted.position`;
};

type Assignment = readonly [column: AnyPgColumn, to: SQL];

/** Assignments for the relation's columns; `positionTo` the position in the inverse list, if it has one. */
const assignments = (
  { column: target, position }: OwningColumn,
  to: SQL,
  positionTo: (position: AnyPgColumn) => SQL,
): readonly Assignment[] => [[target, to], ...(position ? [[position, positionTo(position)] as const] : [])];

const assigned = (all: readonly Assignment[]): SQL => list(all.map(([each, to]) => sql`${named(each)} = ${to}`));

/** Whether a row would change; other rows are not updated. */
const differs = (all: readonly Assignment[], present: (column: AnyPgColumn) => SQL): SQL =>
  sql`(${sql.join(
    all.map(([each, to]) => sql`${present(each)} is distinct from ${to}`),
    sql` or `,
  )})`;

/** Removes the links of other versions to a document, because in a one-to-one relation it has only one owner. */
export const takeOver = (
  type: ContentType,
  name: string,
  column: ToOneRelation["column"],
  { status, documentId, locale }: VersionKey,
  target: string,
): Touching => ({
  statement: statementOf(type.table, `take over ${name} ${status}`, () => {
    const { table } = type;
    return sql`update ${table} set ${named(column)} = null where ${column} = ${value("target")} and ${table.documentId} <> ${value("documentId")} and ${hasStatus(type, status)}${inLocale(type)}`;
  }),
  values: { documentId, target, locale },
  touches: {
    type,
    key: `take over ${name}`,
    where: () => sql`${column} = ${value("target")} and ${type.table.documentId} <> ${value("documentId")}`,
    values: { documentId, target },
  },
});

/**
 * Makes the links of the published versions of `documents` to `documentId` equal to those of their drafts. With a
 * locale, only versions in that locale are changed.
 */
export const publishInverse = (
  owning: OwningSide,
  documentId: string,
  { documents, locale }: { readonly documents: readonly string[]; readonly locale: string | null },
): readonly Bound[] => {
  const hasLocale = locale !== null;
  const bind = (purpose: string, query: () => SQL): Bound => ({
    statement: statementOf(linksOf(owning), `publish ${purpose} ${owning.name} ${hasLocale ? "locale" : ""}`, query),
    values: { documentId, documents, locale },
  });
  if (!("link" in owning)) return [bind("column", () => publishedColumn(owning, hasLocale))];
  return [
    bind("removal", () => publishedRemoval(owning, hasLocale)),
    bind("addition", () => publishedAddition(owning, hasLocale)),
  ];
};

const column = (table: "draft" | "published", { name }: { readonly name: string }): SQL =>
  sql`${sql.identifier(table)}.${sql.identifier(name)}`;

/** Pairs of the draft and the published version of the same document, in one locale. */
const pairs = ({ type }: OwningSide, hasLocale: boolean) => {
  const { locale } = type.table;
  const sameLocale = locale ? sql` and ${column("draft", locale)} = ${column("published", locale)}` : sql``;
  const inLocale = locale && hasLocale ? sql` and ${column("published", locale)} = ${value("locale")}` : sql``;
  const { documentId, publishedAt, id } = type.table;
  return {
    id: column("published", id),
    match: sql`${column("published", documentId)} = any(${value("documents")}::text[]) and ${column("draft", documentId)} = ${column("published", documentId)}${sameLocale} and ${column("draft", publishedAt)} is null and ${column("published", publishedAt)} is not null${inLocale}`,
  };
};

const publishedRemoval = (owning: OwningLink, hasLocale: boolean): SQL => {
  const { link, type } = owning;
  const { match, id } = pairs(owning, hasLocale);
  const draftLink = sql`select 1 from ${link} as kept where kept.${named(link.versionId)} = ${column("draft", type.table.id)} and kept.${named(link.documentId)} = ${value("documentId")}`;
  return sql`delete from ${link} using ${type.table} as published, ${type.table} as draft where ${link.versionId} = ${id} and ${link.documentId} = ${value("documentId")} and ${match} and not exists (${draftLink})`;
};

const publishedAddition = (owning: OwningLink, hasLocale: boolean): SQL => {
  const { link, type } = owning;
  const { match, id } = pairs(owning, hasLocale);
  const { into, onConflict } = insertion(link);
  const inverse = link.inversePosition ? sql`, ${link.inversePosition}` : sql``;
  return sql`${into} select ${id}, ${value("documentId")}, ${link.position}${inverse} from ${link} join ${type.table} as draft on ${column("draft", type.table.id)} = ${link.versionId} join ${type.table} as published on ${match} where ${link.documentId} = ${value("documentId")} ${onConflict}`;
};

const publishedColumn = (owning: OwningColumn, hasLocale: boolean): SQL => {
  const { column: stored, type } = owning;
  const { match } = pairs(owning, hasLocale);
  const leads = sql`${column("draft", stored)} = ${value("documentId")}`;
  const asInDraft = assignments(
    owning,
    sql`case when ${leads} then ${value("documentId")} end`,
    (position) => sql`case when ${leads} then ${column("draft", position)} end`,
  );
  return sql`update ${type.table} as published set ${assigned(asInDraft)} from ${type.table} as draft where ${match} and (${leads} or ${column("published", stored)} = ${value("documentId")}) and ${differs(asInDraft, (each) => column("published", each))}`;
};
