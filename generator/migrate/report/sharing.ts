/** Attributes of localized types that all locales come to share, or no longer: which they are, and the values that go. */
import type { Threads } from "../names/recall.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { quote } from "../sql.ts";

interface Turn {
  /** Where it is now: `api::article.article.title`. */
  readonly place: string;
  readonly becomesShared: boolean;
  /** What stored it before. */
  readonly type: ContentTypeOutline;
  readonly name: string;
  readonly attribute: AttributeOutline;
}

const localizedOwner = ({ contentTypes }: Snapshot, place: string): ContentTypeOutline | undefined => {
  const type = own(contentTypes, place.slice(0, place.lastIndexOf(".")));
  return type?.localized ? type : undefined;
};

/** Attributes of types that stay localized, where it changes whether locales share them. Snapshots may not say it. */
export const sharingTurns = (old: Snapshot, next: Snapshot, threads: Threads): readonly Turn[] => {
  if (old.shared === undefined || next.shared === undefined) return [];
  const [before, after] = [new Set(old.shared), new Set(next.shared)];
  return [...threads].flatMap(([place, was]) => {
    const name = was.slice(was.lastIndexOf(".") + 1);
    const type = localizedOwner(old, was);
    const attribute = own(type?.attributes, name);
    if (!type || !attribute || attribute.kind === "relation" || !localizedOwner(next, place)) return [];
    return before.has(was) === after.has(place)
      ? []
      : [{ place, becomesShared: after.has(place), type, name, attribute }];
  });
};

/** The value of a version as text, whatever stores it. Entries of components have ids of their own in each locale. */
const valueOf = (attribute: AttributeOutline): string | undefined => {
  if (attribute.kind === "component" || attribute.kind === "dynamiczone")
    return `regexp_replace(version.${quote(attribute.column)}::text, '"id": ?[0-9]+', '', 'g')`;
  if ("column" in attribute && attribute.column !== undefined) return `version.${quote(attribute.column)}::text`;
  if (!("link" in attribute) || attribute.link === undefined) return undefined;
  return `(select string_agg(link."file_id"::text, ',' order by link."position") from ${quote(attribute.link)} as link where link."version_id" = version."id")`;
};

/** A statement that counts the values that go: all but one of those that differ between the locales of a document. */
export const countDiffering = ({ type, attribute }: Turn): string | undefined => {
  const value = valueOf(attribute);
  if (value === undefined) return undefined;
  const differing = `count(distinct ${value}) + (count(*) > count(${value}))::int - 1`;
  return `select coalesce(sum(differing), 0) from (select ${differing} as differing from ${quote(type.table)} as version group by "document_id", "published_at" is not null) as each`;
};
