/** Statements for link tables: of to-many relations, and of media attributes with several files. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, statementOf, type Values } from "../../database/statement.ts";
import type { ContentType, DocumentLinkTable, FileLinkTable, MorphLinkTable } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { endOfList } from "./place.ts";
import { hasStatus, list, named, value, versionId } from "./version.ts";

export type AnyLink = DocumentLinkTable | MorphLinkTable | FileLinkTable;

/** The version whose links are meant. */
export interface LinkSource {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

export const targetColumn = (link: AnyLink): AnyPgColumn => ("fileId" in link ? link.fileId : link.documentId);
export const typeColumn = (link: AnyLink): AnyPgColumn | undefined =>
  "documentType" in link ? link.documentType : undefined;
export const inverseColumn = (link: AnyLink): AnyPgColumn | undefined =>
  "inversePosition" in link ? link.inversePosition : undefined;

const of = ({ documentId, locale }: LinkSource) => ({ documentId, ...(locale === null ? {} : { locale }) });

/** Selects the keys of a version's links, in order; for a relation to any type, the type is the second column. */
export const selectLinks = (owner: LinkSource, status: Status, link: AnyLink): Bound => ({
  statement: statementOf(link, `select ${status}`, () => {
    const type = typeColumn(link);
    return sql`select ${targetColumn(link)}${type ? sql`, ${type}` : sql``} from ${link} where ${link.versionId} = ${versionId(owner.type, status)} order by ${link.position}`;
  }),
  values: of(owner),
});

/** A change of a version's links: to a list of keys, or to those of the same document's version in another status. */
export type LinkChange = { readonly name: string; readonly link: AnyLink } & (
  | {
      readonly keys: readonly string[];
      /** The type of each target, for a relation to any type. */
      readonly types: readonly string[];
    }
  | { readonly from: Status }
);

/** A key that tells statements for different changes apart. */
export const changeKey = (change: LinkChange): string =>
  "from" in change ? `${change.name} from ${change.from}` : change.name;

const keysName = ({ name }: LinkChange): string => `${name}:keys`;
const typesName = ({ name }: LinkChange): string => `${name}:types`;

/** The values for {@link linkClauses}. */
export const linkValues = (change: LinkChange): Values => {
  if ("from" in change) return {};
  const { link, keys, types } = change;
  return {
    [keysName(change)]: "fileId" in link ? keys.map(Number) : keys,
    ...(typeColumn(link) ? { [typesName(change)]: types } : {}),
  };
};

/** The links that are wanted, as SQL. */
export interface WantedLinks {
  /** A query that returns the targets as `key`, and whatever `columns` needs. */
  readonly rows: SQL;
  /** The columns to store, with their expressions on `wanted`, a row of the query. */
  readonly columns: readonly [AnyPgColumn, SQL][];
  /** The columns to update if the link exists already. */
  readonly changing: readonly AnyPgColumn[];
}

/** Wanted links from a list. Existing links keep their position in the inverse list; new ones are added at its end. */
const listed = (change: LinkChange): WantedLinks => {
  const { link } = change;
  const target = targetColumn(link);
  const type = typeColumn(link);
  const inverse = inverseColumn(link);
  const keys = sql`${value(keysName(change))}::${sql.raw("fileId" in link ? "int[]" : "text[]")}`;
  const columns: [AnyPgColumn, SQL][] = [[link.position, sql`wanted.place`]];
  if (type) columns.push([type, sql`wanted.type`]);
  if (inverse) columns.push([inverse, endOfList(link, target, inverse, sql`wanted.key`)]);
  return {
    rows: type
      ? sql`select * from unnest(${keys}, ${value(typesName(change))}::text[]) with ordinality as listed(key, type, place)`
      : sql`select * from unnest(${keys}) with ordinality as listed(key, place)`,
    columns,
    changing: [link.position],
  };
};

/** Wanted links copied from the version in status `from`. */
export const copiedLinks = (type: ContentType, from: Status, link: AnyLink): WantedLinks => {
  const target = targetColumn(link);
  const rest = restOf(link);
  return {
    rows: sql`select ${target} as key, ${list(rest.map((column) => sql`${column}`))} from ${link} where ${link.versionId} = ${versionId(type, from)}`,
    columns: rest.map((column) => [column, sql`wanted.${named(column)}`]),
    changing: rest,
  };
};

/** How links are stored together with the version to which they belong. */
export interface Linking {
  /** Whether that version has no links yet. */
  readonly isNew: boolean;
  /** Makes names unique within a statement. */
  readonly suffix: number | string;
  /** The name of the expression that stores the version. */
  readonly version?: "version" | "draft";
  /** Whether the expression `linked_…` returns the links that it has stored. */
  readonly returns?: boolean;
}

/** The columns of a link beside its version and its target. */
export const restOf = (link: AnyLink): readonly AnyPgColumn[] =>
  [link.position, typeColumn(link) ?? [], inverseColumn(link) ?? []].flat();

/** Common table expressions that change links together with the version to which they belong. */
export const linkClauses = (type: ContentType, change: LinkChange, linking: Linking): readonly SQL[] => {
  const { link } = change;
  return storeLinks(type, link, "from" in change ? copiedLinks(type, change.from, link) : listed(change), linking);
};

/** The same for links as SQL. */
export const storeLinks = (
  type: ContentType,
  link: AnyLink,
  { rows, columns, changing }: WantedLinks,
  { isNew, suffix, version: owner = "version", returns = false }: Linking,
): readonly SQL[] => {
  const target = targetColumn(link);
  const nameOf = (purpose: string): SQL => sql.raw(`${purpose}_${suffix}`);
  const expression = (purpose: string, query: SQL): SQL => sql`${nameOf(purpose)} as (${query})`;
  const version = sql`${sql.raw(owner)}.${named(type.table.id)}`;
  const wanted = sql`${nameOf("wanted")} as wanted`;
  const insert = sql`insert into ${link} (${list([link.versionId, target, ...columns.map(([column]) => column)].map(named))}) select ${list([version, sql`wanted.key`, ...columns.map(([, each]) => each)])} from ${sql.raw(owner)}, ${wanted}`;
  const returning = returns
    ? sql` returning ${list([target, ...restOf(link)].map((column) => sql`${column}`))}`
    : sql``;
  const first = expression("wanted", rows);
  if (isNew) return [first, expression("linked", sql`${insert}${returning}`)];
  const removed = sql`delete from ${link} using ${sql.raw(owner)} where ${link.versionId} = ${version} and ${target} not in (select key from ${wanted})`;
  const now = list(changing.map((column) => sql`${column}`));
  const then = list(changing.map((column) => sql`excluded.${named(column)}`));
  const set = list(changing.map((column) => sql`${named(column)} = excluded.${named(column)}`));
  const kept = sql`on conflict (${named(link.versionId)}, ${named(target)}) do update set ${set} where (${now}) is distinct from (${then})`;
  return [first, expression("removed", removed), expression("linked", sql`${insert} ${kept}${returning}`)];
};

/** Copies the files of this locale's version to the document's other locales. */
export const copyFilesToLocales = (owner: LinkSource, status: Status, link: FileLinkTable): readonly Bound[] => {
  const { table } = owner.type;
  const { locale } = table;
  if (!locale) return [];
  const others = (): SQL =>
    sql`select ${table.id} from ${table} where ${table.documentId} = ${value("documentId")} and ${hasStatus(owner.type, status)} and ${locale} <> ${value("locale")}`;
  const remove = statementOf(
    link,
    `remove of locales ${status}`,
    () => sql`delete from ${link} where ${link.versionId} in (${others()})`,
  );
  const add = statementOf(
    link,
    `copy to locales ${status}`,
    () =>
      sql`insert into ${link} (${list([link.versionId, link.fileId, link.position].map(named))}) select other.id, ${link.fileId}, ${link.position} from ${link}, (${others()}) as other where ${link.versionId} = ${versionId(owner.type, status)}`,
  );
  return [remove, add].map((statement) => ({ statement, values: of(owner) }));
};
