/** Link tables of to-many relations and of several files. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, statementOf, type Values } from "../../database/statement.ts";
import type { ContentType, DocumentLinkTable, FileLinkTable, MorphLinkTable } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { endOfList } from "./place.ts";
import { hasStatus, list, named, value, versionId } from "./version.ts";

export type AnyLink = DocumentLinkTable | MorphLinkTable | FileLinkTable;

/** Which version's links are meant. */
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

/** The keys of a version's links, in order; of a morph link the type comes second. */
export const selectLinks = (owner: LinkSource, status: Status, link: AnyLink): Bound => ({
  statement: statementOf(link, `select ${status}`, () => {
    const type = typeColumn(link);
    return sql`select ${targetColumn(link)}${type ? sql`, ${type}` : sql``} from ${link} where ${link.versionId} = ${versionId(owner.type, status)} order by ${link.position}`;
  }),
  values: of(owner),
});

/** The links that a version is to have: a list, or those of the same document's version in another status. */
export type LinkChange = { readonly name: string; readonly link: AnyLink } & (
  | {
      readonly keys: readonly string[];
      /** The type of each target, of a relation to any type. */
      readonly types: readonly string[];
    }
  | { readonly from: Status }
);

/** Tells apart the statements that changes lead to. */
export const changeKey = (change: LinkChange): string =>
  "from" in change ? `${change.name} from ${change.from}` : change.name;

const keysName = ({ name }: LinkChange): string => `${name}:keys`;
const typesName = ({ name }: LinkChange): string => `${name}:types`;

/** The values of {@link linkClauses}. */
export const linkValues = (change: LinkChange): Values => {
  if ("from" in change) return {};
  const { link, keys, types } = change;
  return {
    [keysName(change)]: "fileId" in link ? keys.map(Number) : keys,
    ...(typeColumn(link) ? { [typesName(change)]: types } : {}),
  };
};

/** The columns of a link that depend on its target. */
interface Wanted {
  /** A query for the targets as `key`, with what the columns are made of. */
  readonly rows: SQL;
  /** What is stored in them; `wanted` is one of the rows. */
  readonly columns: readonly [AnyPgColumn, SQL][];
  /** Columns that follow when the link is there already. */
  readonly changing: readonly AnyPgColumn[];
}

/** Links that stay keep their place in the other side's list; new ones go to its end. */
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

/** The links of the version in the status `from`, as they stand there. */
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
 * Common table expressions that change links together with the version that the expression `version` stores. `isNew`
 * where that has none yet; `suffix` keeps the names of one statement apart.
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

/** Gives the other locales of a document the files that this one has. */
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
