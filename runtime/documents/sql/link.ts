/** Statements for link tables: of to-many relations, and of media attributes with several files. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Bound, type Parameter, statementOf } from "../../database/database.ts";
import type { ContentType, DocumentLinkTable, FileLinkTable, MorphLinkTable } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import {
  endOfList,
  givenList,
  hasStatus,
  isOfStatus,
  list,
  named,
  value,
  versionId,
  type VersionKey,
} from "./version.ts";

export type AnyLink = DocumentLinkTable | MorphLinkTable | FileLinkTable;

const targetColumn = (link: AnyLink): AnyPgColumn => ("fileId" in link ? link.fileId : link.documentId);
const typeColumn = (link: AnyLink): AnyPgColumn | undefined => ("documentType" in link ? link.documentType : undefined);
const inverseColumn = (link: AnyLink): AnyPgColumn | undefined =>
  "inversePosition" in link ? link.inversePosition : undefined;

/** Selects the keys of a version's links, in order; for a relation to any type, the type is the second column. */
export const selectLinks = (type: ContentType, version: VersionKey, link: AnyLink): Bound => ({
  statement: statementOf(link, `select ${version.status}`, () => {
    const uid = typeColumn(link);
    return sql`select ${targetColumn(link)}${uid ? sql`, ${uid}` : sql``} from ${link} where ${link.versionId} = ${versionId(type, version.status)} order by ${link.position}`;
  }),
  values: { documentId: version.documentId, locale: version.locale },
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

/** The lists that a statement binds for an attribute: one item per link, with the document that it belongs to. */
const listsOf = (name: string) => ({
  owners: `${name}:owners`,
  keys: `${name}:keys`,
  positions: `${name}:positions`,
  types: `${name}:types`,
});

/** The values for {@link linkClauses} of all documents that one statement stores. */
export const linkValues = (
  changes: readonly LinkChange[],
  documents: readonly { readonly versions: readonly VersionKey[]; readonly links: readonly LinkChange[] }[],
): Record<string, Parameter> => {
  const values: Record<string, Parameter> = {};
  for (const { name, link, ...change } of changes) {
    if ("from" in change) continue;
    const lists = listsOf(name);
    const links = documents.flatMap(({ versions: [version], links: own }) => {
      const given = own.find((each) => each.name === name);
      if (!version || !given || "from" in given) return [];
      const owner = version.documentId;
      return given.keys.map((key, at) => ({ owner, key, position: at + 1, type: given.types[at] ?? null }));
    });
    values[lists.owners] = links.map(({ owner }) => owner);
    values[lists.keys] = links.map(({ key }) => ("fileId" in link ? Number(key) : key));
    values[lists.positions] = links.map(({ position }) => position);
    if (typeColumn(link)) values[lists.types] = links.map(({ type }) => type);
  }
  return values;
};

/** The wanted links. */
interface WantedLinks {
  /** A query that returns `version` and `key`, and whatever `columns` needs. */
  readonly rows: SQL;
  /** The other columns to store, with their expressions on `wanted`, a row of the query. */
  readonly columns: readonly (readonly [AnyPgColumn, SQL])[];
  /** The columns to update if the link already exists. */
  readonly changing: readonly AnyPgColumn[];
}

/** What the links are stored for. */
interface LinkTarget {
  /** Whether the versions have no links yet. */
  readonly isNew: boolean;
  /** Whether the statement stores the drafts and the published versions of its documents. */
  readonly both: boolean;
  /** Makes names unique within a statement. */
  readonly suffix: number;
}

/** A column of the row of `version`, which has the columns of the type's table that it returns. */
const ofVersion = (column: AnyPgColumn): SQL => sql`version.${named(column)}`;

/** The position that the link of the draft has in the inverse list: a list of one, since it may be null. */
const keptPosition = (type: ContentType, link: AnyLink, inverse: AnyPgColumn): SQL => {
  const { table } = type;
  const locale = table.locale ? sql` and ${table.locale} = ${ofVersion(table.locale)}` : sql``;
  return sql`(select array[${inverse}] from ${link} join ${table} on ${table.id} = ${link.versionId} where ${table.documentId} = listed.owner and ${isOfStatus(type, "draft")}${locale} and ${targetColumn(link)} = listed.key)`;
};

/**
 * Wanted links from lists. Existing links keep their position in the inverse list, and those of a version published with
 * its draft get the draft's; new ones are added at its end.
 */
const listedLinks = (type: ContentType, { name, link }: LinkChange, { isNew, both }: LinkTarget): WantedLinks => {
  const { table } = type;
  const lists = listsOf(name);
  const [uid, inverse] = [typeColumn(link), inverseColumn(link)];
  const columns: [AnyPgColumn, SQL][] = [[link.position, sql`wanted.position`]];
  if (uid) columns.push([uid, sql`wanted.type`]);
  const copies = both && !isNew && inverse !== undefined;
  const end = inverse && endOfList(link, targetColumn(link), inverse, sql`wanted.key`);
  const added = sql`${end} + wanted.turn - 1`;
  if (inverse) columns.push([inverse, copies ? sql`(coalesce(wanted.kept, array[${added}]))[1]` : added]);
  const unnested = [
    givenList(lists.owners, sql`text`),
    sql`${value(lists.keys)}::${sql.raw("fileId" in link ? "int[]" : "text[]")}`,
    sql`${value(lists.positions)}::int[]`,
    ...(uid ? [sql`${value(lists.types)}::text[]`] : []),
  ];
  const status = sql`(${ofVersion(table.publishedAt)} is not null)`;
  const turn = inverse
    ? sql`, row_number() over (partition by listed.key, ${status} order by listed.number)::int as turn`
    : sql``;
  const kept = copies ? sql`, ${keptPosition(type, link, inverse)} as kept` : sql``;
  return {
    rows: sql`select ${ofVersion(table.id)} as version, listed.*${turn}${kept} from version join unnest(${list(unnested)}) with ordinality as listed(owner, key, position, ${sql.raw(uid ? "type, number" : "number")}) on listed.owner = ${ofVersion(table.documentId)}`,
    columns,
    changing: copies ? [link.position, inverse] : [link.position],
  };
};

/** Whether `version` is not in the status from which its links are copied. */
const isOther = ({ table }: ContentType, from: Status): SQL =>
  sql`(${ofVersion(table.publishedAt)} is not null) is ${sql.raw(String(from === "draft"))}`;

/** Wanted links copied from the versions of the same documents in status `from`. */
const copiedLinks = (type: ContentType, from: Status, link: AnyLink): WantedLinks => {
  const { table } = type;
  const typed = "documentType" in link ? [link.documentType, link.documentVersion] : [];
  const rest = [link.position, ...typed, inverseColumn(link) ?? []].flat();
  const sameLocale = table.locale ? sql` and ${table.locale} = ${ofVersion(table.locale)}` : sql``;
  return {
    rows: sql`select ${ofVersion(table.id)} as version, ${targetColumn(link)} as key, ${list(rest.map((column) => sql`${column}`))} from version join ${table} on ${table.documentId} = ${ofVersion(table.documentId)} and ${isOfStatus(type, from)}${sameLocale} join ${link} on ${link.versionId} = ${table.id} where ${isOther(type, from)}`,
    columns: rest.map((column) => [column, sql`wanted.${named(column)}`]),
    changing: rest,
  };
};

/**
 * Common table expressions that change the links of the versions stored by the expression `version`, which returns
 * their documentId, locale and time of publication.
 */
export const linkClauses = (type: ContentType, change: LinkChange, storedFor: LinkTarget): readonly SQL[] => {
  const { link } = change;
  const target = targetColumn(link);
  const isCopy = "from" in change;
  const { rows, columns, changing } = isCopy
    ? copiedLinks(type, change.from, link)
    : listedLinks(type, change, storedFor);
  const { isNew, suffix } = storedFor;
  const expression = (purpose: string, query: SQL): SQL => sql`${sql.raw(`${purpose}_${suffix}`)} as (${query})`;
  const wanted = sql`${sql.raw(`wanted_${suffix}`)} as wanted`;
  const into = [link.versionId, target, ...columns.map(([column]) => column)].map(named);
  const insert = sql`insert into ${link} (${list(into)}) select wanted.version, wanted.key, ${list(columns.map(([, each]) => each))} from ${wanted}`;
  const first = expression("wanted", rows);
  if (isNew) return [first, expression("linked", insert)];
  const isWanted = sql`select 1 from ${wanted} where wanted.version = ${link.versionId} and wanted.key = ${target}`;
  const own = sql`${link.versionId} = ${ofVersion(type.table.id)}${isCopy ? sql` and ${isOther(type, change.from)}` : sql``}`;
  const removed = sql`delete from ${link} using version where ${own} and not exists (${isWanted})`;
  const now = list(changing.map((column) => sql`${column}`));
  const then = list(changing.map((column) => sql`excluded.${named(column)}`));
  const set = list(changing.map((column) => sql`${named(column)} = excluded.${named(column)}`));
  const onConflict = sql`on conflict (${named(link.versionId)}, ${named(target)}) do update set ${set} where (${now}) is distinct from (${then})`;
  return [first, expression("removed", removed), expression("linked", sql`${insert} ${onConflict}`)];
};

/** Copies the files of a version to those of the same status in the document's other locales. */
export const copyFilesToLocales = (type: ContentType, version: VersionKey, link: FileLinkTable): readonly Bound[] => {
  const { table } = type;
  const { documentId, status } = version;
  const { locale } = table;
  if (!locale) return [];
  const others = (): SQL =>
    sql`select ${table.id} from ${table} where ${table.documentId} = ${value("documentId")} and ${hasStatus(type, status)} and ${locale} <> ${value("locale")}`;
  const remove = statementOf(
    link,
    `remove of locales ${status}`,
    () => sql`delete from ${link} where ${link.versionId} in (${others()})`,
  );
  const add = statementOf(
    link,
    `copy to locales ${status}`,
    () =>
      sql`insert into ${link} (${list([link.versionId, link.fileId, link.position].map(named))}) select other.id, ${link.fileId}, ${link.position} from ${link}, (${others()}) as other where ${link.versionId} = ${versionId(type, status)}`,
  );
  return [remove, add].map((statement) => ({ statement, values: { documentId, locale: version.locale } }));
};
