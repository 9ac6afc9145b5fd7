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
interface Wanted {
  /** A query that returns the targets as `key`, and whatever `columns` needs. */
  readonly rows: SQL;
  /** The columns to store, with their expressions on `wanted`, a row of the query. */
  readonly columns: readonly [AnyPgColumn, SQL][];
  /** The columns to update if the link exists already. */
  readonly changing: readonly AnyPgColumn[];
}

/** Wanted links from a list. Existing links keep their position in the inverse list; new ones are added at its end. */
const listed = (change: LinkChange): Wanted => {
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
const copied = (type: ContentType, from: Status, link: AnyLink): Wanted => {
  const target = targetColumn(link);
  const rest = [link.position, typeColumn(link) ?? [], inverseColumn(link) ?? []].flat();
  return {
    rows: sql`select ${target} as key, ${list(rest.map((column) => sql`${column}`))} from ${link} where ${link.versionId} = ${versionId(type, from)}`,
    columns: rest.map((column) => [column, sql`wanted.${named(column)}`]),
    changing: rest,
  };
};

/**
 * Common table expressions that change links together with the version that the expression `version` stores. `isNew` if
 * that version has no links yet; `suffix` makes names unique within a statement.
 */
export const linkClauses = (
  type: ContentType,
  change: LinkChange,
  { isNew, suffix }: { readonly isNew: boolean; readonly suffix: number },
): readonly SQL[] => {
  const { link } = change;
  const { rows, columns, changing } = "from" in change ? copied(type, change.from, link) : listed(change);
  const target = targetColumn(link);
  const nameOf = (purpose: string): SQL => sql`${sql.identifier(`${purpose}_${suffix}`)}`;
  const expression = (purpose: string, query: SQL): SQL => sql`${nameOf(purpose)} as (${query})`;
  const version = sql`version.${named(type.table.id)}`;
  const wanted = sql`${nameOf("wanted")} as wanted`;
  const insert = sql`insert into ${link} (${list([link.versionId, target, ...columns.map(([column]) => column)].map(named))}) select ${list([version, sql`wanted.key`, ...columns.map(([, each]) => each)])} from version, ${wanted}`;
  const first = expression("wanted", rows);
  if (isNew) return [first, expression("linked", insert)];
  const removed = sql`delete from ${link} using version where ${link.versionId} = ${version} and ${target} not in (select key from ${wanted})`;
  const now = list(changing.map((column) => sql`${column}`));
  const then = list(changing.map((column) => sql`excluded.${named(column)}`));
  const set = list(changing.map((column) => sql`${named(column)} = excluded.${named(column)}`));
  const kept = sql`on conflict (${named(link.versionId)}, ${named(target)}) do update set ${set} where (${now}) is distinct from (${then})`;
  return [first, expression("removed", removed), expression("linked", sql`${insert} ${kept}`)];
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
