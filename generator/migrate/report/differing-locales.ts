/** Counts values that go where locales come to share an attribute: all but one of those that differ. */
import { sharingTurns } from "../moves/shared-values.ts";
import type { Threads } from "../names/recall.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";
import { quote } from "../sql.ts";
import type { Concern } from "./concerns.ts";

/** The value of a version as text, whatever stores it. Entries of components have ids of their own in each locale. */
const valueOf = (attribute: AttributeOutline): string | undefined => {
  if (attribute.kind === "component" || attribute.kind === "dynamiczone")
    return `regexp_replace(version.${quote(attribute.column)}::text, '"id": ?[0-9]+', '', 'g')`;
  if ("column" in attribute && attribute.column !== undefined) return `version.${quote(attribute.column)}::text`;
  if (!("link" in attribute) || attribute.link === undefined) return undefined;
  return `(select string_agg(link."file_id"::text, ',' order by link."position") from ${quote(attribute.link)} as link where link."version_id" = version."id")`;
};

export const ofSharedValues = (old: Snapshot, next: Snapshot, threads: Threads): readonly Concern[] =>
  sharingTurns(old, next, threads).flatMap(({ becomesShared, type, name, attribute }) => {
    const value = valueOf(attribute);
    if (!becomesShared || value === undefined) return [];
    const differing = `count(distinct ${value}) + (count(*) > count(${value}))::int - 1`;
    return [
      {
        what: `values of ${type.table}.${name} that differ between locales`,
        sql: `select coalesce(sum(differing), 0) from (select ${differing} as differing from ${quote(type.table)} as version group by "document_id", "published_at" is not null) as each`,
      },
    ];
  });
