/** Link tables of to-many relations and of several files. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ContentType, DocumentLinkTable, FileLinkTable, LinkTable, MorphLinkTable } from "../../content-type.ts";
import type { State } from "../context.ts";
import { type Bound, statementOf } from "./statement.ts";
import { inState, isVersion, list, named, value, versionId } from "./version.ts";

export type AnyLink = DocumentLinkTable | MorphLinkTable | FileLinkTable;

/** Which version's links are meant. */
export interface Owner {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

export const targetColumn = (link: AnyLink): AnyPgColumn => ("fileId" in link ? link.fileId : link.documentId);
const typeColumn = (link: AnyLink): AnyPgColumn | undefined => ("documentType" in link ? link.documentType : undefined);
const inverseColumn = (link: AnyLink): AnyPgColumn | undefined =>
  "inversePosition" in link ? link.inversePosition : undefined;

const of = ({ documentId, locale }: Owner) => ({ documentId, ...(locale === null ? {} : { locale }) });

/** The keys of a version's links, in order; of a morph link the type comes second. */
export const selectLinks = (owner: Owner, state: State, link: AnyLink): Bound => ({
  statement: statementOf(link, `select ${state}`, () => {
    const type = typeColumn(link);
    return sql`select ${targetColumn(link)}${type ? sql`, ${type}` : sql``} from ${link} where ${link.versionId} = ${versionId(owner.type, state)} order by ${link.position}`;
  }),
  values: of(owner),
});

const array = (link: AnyLink): SQL => ("fileId" in link ? sql`${value("keys")}::int[]` : sql`${value("keys")}::text[]`);

/** What a new link gets as its place in the list of the other side: the last one. */
const lastPlace = (link: LinkTable, inverse: AnyPgColumn, target: AnyPgColumn, key: SQL): SQL =>
  sql`(select coalesce(max(${inverse}), 0) + 1 from ${link} where ${target} = ${key})`;

/** Gives a version exactly these links, in this order; links that stay keep their place on the other side. */
export const setLinks = (
  owner: Owner,
  state: State,
  link: AnyLink,
  keys: readonly string[],
  types: readonly string[] = [],
): Bound => {
  const target = targetColumn(link);
  const type = typeColumn(link);
  const statement = statementOf(link, `set ${state}`, () => {
    const inverse = inverseColumn(link);
    const columns = [link.versionId, target, link.position, ...(type ? [type] : []), ...(inverse ? [inverse] : [])];
    const selected = [
      sql`version.id`,
      sql`wanted.key`,
      sql`wanted.place`,
      ...(type ? [sql`wanted.type`] : []),
      ...(inverse ? [lastPlace(link, inverse, target, sql`wanted.key`)] : []),
    ];
    const wanted = type
      ? sql`unnest(${array(link)}, ${value("types")}::text[]) with ordinality as wanted(key, type, place)`
      : sql`unnest(${array(link)}) with ordinality as wanted(key, place)`;
    return sql`with version as (select ${owner.type.table.id} from ${owner.type.table} where ${isVersion(owner.type, state)}), removed as (delete from ${link} using version where ${link.versionId} = version.id and not (${target} = any(${array(link)}))) insert into ${link} (${list(columns.map(named))}) select ${list(selected)} from version, ${wanted} on conflict (${named(link.versionId)}, ${named(target)}) do update set ${named(link.position)} = excluded.${named(link.position)}`;
  });
  const bound = "fileId" in link ? keys.map(Number) : [...keys];
  return { statement, values: { ...of(owner), keys: bound, ...(type ? { types: [...types] } : {}) } };
};

/**
 * Makes the links of one version those of another state of it. A published document does not lead to itself: so the
 * wire contract has it.
 */
export const copyLinks = (owner: Owner, { from, to }: { from: State; to: State }, link: AnyLink): Bound => ({
  statement: statementOf(link, `copy to ${to}`, () => {
    const target = targetColumn(link);
    const inverse = inverseColumn(link);
    const type = typeColumn(link);
    const rest = [link.position, ...(type ? [type] : []), ...(inverse ? [inverse] : [])];
    const self = "fileId" in link || to === "draft" ? sql`` : sql` and ${target} <> ${value("documentId")}`;
    const changed = rest.map((column) => sql`${named(column)} = excluded.${named(column)}`);
    return sql`with wanted as (select ${target} as key, ${list(rest.map((column) => sql`${column}`))} from ${link} where ${link.versionId} = ${versionId(owner.type, from)}${self}), removed as (delete from ${link} where ${link.versionId} = ${versionId(owner.type, to)} and ${target} not in (select key from wanted)) insert into ${link} (${list([link.versionId, target, ...rest].map(named))}) select version.id, wanted.key, ${list(rest.map((column) => sql`wanted.${named(column)}`))} from wanted, ${versionId(owner.type, to)} as version on conflict (${named(link.versionId)}, ${named(target)}) do update set ${list(changed)}`;
  }),
  values: of(owner),
});

/** Gives the other locales of a document the files that this one has. */
export const copyFilesToLocales = (owner: Owner, state: State, link: FileLinkTable): readonly Bound[] => {
  const { table } = owner.type;
  const { locale } = table;
  if (!locale) return [];
  const others = (): SQL =>
    sql`select ${table.id} from ${table} where ${table.documentId} = ${value("documentId")} and ${inState(owner.type, state)} and ${locale} <> ${value("locale")}`;
  const remove = statementOf(
    link,
    `remove of locales ${state}`,
    () => sql`delete from ${link} where ${link.versionId} in (${others()})`,
  );
  const add = statementOf(
    link,
    `copy to locales ${state}`,
    () =>
      sql`insert into ${link} (${list([link.versionId, link.fileId, link.position].map(named))}) select other.id, ${link.fileId}, ${link.position} from ${link}, (${others()}) as other where ${link.versionId} = ${versionId(owner.type, state)}`,
  );
  return [remove, add].map((statement) => ({ statement, values: of(owner) }));
};
