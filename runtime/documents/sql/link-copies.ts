/** Copies links of many versions to versions of the same documents in another status. */
import { type SQL, sql } from "drizzle-orm";
import type { ContentType } from "../../schema/content-type.ts";
import { inverseColumn, type LinkChange, targetColumn, typeColumn } from "./link.ts";
import { isOfStatus, list, named } from "./version.ts";

/** A change that copies the links of the version in another status. */
export type LinkCopy = Extract<LinkChange, { readonly from: unknown }>;

/**
 * Common table expressions that copy links to the versions that the expression `version` stores, which returns their
 * documentId and locale. `isNew` if these versions have no links yet; `suffix` makes names unique within a statement.
 */
export const copyClausesOfMany = (
  type: ContentType,
  { link, from }: LinkCopy,
  { isNew, suffix }: { readonly isNew: boolean; readonly suffix: number },
): readonly SQL[] => {
  const { table } = type;
  const target = targetColumn(link);
  const rest = [link.position, typeColumn(link) ?? [], inverseColumn(link) ?? []].flat();
  const source = sql.raw(`source_${suffix}`);
  const sameLocale = table.locale ? sql` and ${table.locale} = version.${named(table.locale)}` : sql``;
  const rows = sql`select version.${named(table.id)} as version, ${target} as key, ${list(rest.map((column) => sql`${column}`))} from version join ${table} on ${table.documentId} = version.${named(table.documentId)} and ${isOfStatus(type, from)}${sameLocale} join ${link} on ${link.versionId} = ${table.id}`;
  const into = [link.versionId, target, ...rest].map(named);
  const insert = sql`insert into ${link} (${list(into)}) select version, key, ${list(rest.map(named))} from ${source}`;
  const linked = sql.raw(`linked_${suffix}`);
  const first = sql`${source} as (${rows})`;
  if (isNew) return [first, sql`${linked} as (${insert})`];
  const isKept = sql`select 1 from ${source} where ${source}.version = ${link.versionId} and ${source}.key = ${target}`;
  const removed = sql`delete from ${link} using version where ${link.versionId} = version.${named(table.id)} and not exists (${isKept})`;
  const now = list(rest.map((column) => sql`${column}`));
  const then = list(rest.map((column) => sql`excluded.${named(column)}`));
  const set = list(rest.map((column) => sql`${named(column)} = excluded.${named(column)}`));
  const kept = sql`on conflict (${named(link.versionId)}, ${named(target)}) do update set ${set} where (${now}) is distinct from (${then})`;
  return [first, sql`${sql.raw(`removed_${suffix}`)} as (${removed})`, sql`${linked} as (${insert} ${kept})`];
};
