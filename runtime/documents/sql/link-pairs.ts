/** Links that a statement copies to a published version from the draft that the same statement stores. */
import { type SQL, sql } from "drizzle-orm";
import { type AnyLink, inverseColumn, restOf, targetColumn, typeColumn, type WantedLinks } from "./link.ts";
import { list, named } from "./version.ts";

/**
 * The links of a draft after the expressions that `linkClauses` makes with `suffix`, which return what they store.
 * `isNew` if the draft has no other links.
 */
export const copiedWithDraft = (
  link: AnyLink,
  { suffix, isNew }: { readonly suffix: number; readonly isNew: boolean },
): WantedLinks => {
  const rest = restOf(link);
  const linked = sql.raw(`linked_${suffix}`);
  return {
    rows: isNew
      ? sql`select ${linked}.${named(targetColumn(link))} as key, ${list(rest.map((column) => sql`${linked}.${named(column)}`))} from ${linked}`
      : keptAndLinked(link, suffix),
    columns: rest.map((column) => [column, sql`wanted.${named(column)}`]),
    changing: rest,
  };
};

/** All wanted links. Those that the draft has had already keep their position in the inverse list. */
const keptAndLinked = (link: AnyLink, suffix: number): SQL => {
  const target = named(targetColumn(link));
  const [inverse, type] = [inverseColumn(link), typeColumn(link)];
  const columns = [
    sql`wanted.place as ${named(link.position)}`,
    ...(type ? [sql`wanted.type as ${named(type)}`] : []),
    ...(inverse ? [sql`coalesce(linked.${named(inverse)}, own.${named(inverse)}) as ${named(inverse)}`] : []),
  ];
  const kept = sql`left join ${link} as own on own.${named(link.versionId)} = draft.${sql.identifier("id")} and own.${target} = wanted.key`;
  const joins = inverse
    ? sql` cross join draft left join ${sql.raw(`linked_${suffix}`)} as linked on linked.${target} = wanted.key ${kept}`
    : sql``;
  return sql`select wanted.key, ${list(columns)} from ${sql.raw(`wanted_${suffix}`)} as wanted${joins}`;
};
