/** Attributes of localized types that all locales of a document begin or cease to share. */
import { type Change, continuing, type Findings } from "../change.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import { quote } from "../sql.ts";
import { dare } from "../step.ts";

interface Turn {
  /** Its present place: `api::article.article.title`. */
  readonly place: string;
  readonly becomesShared: boolean;
  /** What stored it before. */
  readonly type: ContentTypeOutline;
  readonly name: string;
  readonly attribute: AttributeOutline;
}

/** Attributes, of types that stay localized, whose sharing between locales changes. Snapshots may not record it. */
export const sharingTurns = (change: Change): readonly Turn[] => {
  const { old, next } = change;
  if (old.shared === undefined || next.shared === undefined) return [];
  const [shared, sharedNow] = [new Set(old.shared), new Set(next.shared)];
  return continuing(change).flatMap(({ pairing, before, after, pair, was, place }): readonly Turn[] => {
    const becomesShared = sharedNow.has(place);
    if (!before.localized || !after.localized || was.kind === "relation") return [];
    if (becomesShared === shared.has(`${pairing.old}.${pair.old}`)) return [];
    return [{ place, becomesShared, type: before, name: pair.old, attribute: was }];
  });
};

/** A version's value as text, however it is stored. Component entries have ids of their own in each locale. */
const valueOf = (attribute: AttributeOutline): string | undefined => {
  if (attribute.kind === "component" || attribute.kind === "dynamiczone")
    return `regexp_replace(version.${quote(attribute.column)}::text, '"id": ?[0-9]+', '', 'g')`;
  if (attribute.column !== undefined) return `version.${quote(attribute.column)}::text`;
  if (!("link" in attribute) || attribute.link === undefined) return undefined;
  return `(select string_agg(link."file_id"::text, ',' order by link."position") from ${quote(attribute.link)} as link where link."version_id" = version."id")`;
};

/** A statement that counts the values that are lost: all but one of those that differ between a document's locales. */
export const countDiffering = ({ type, attribute }: Turn): string | undefined => {
  const value = valueOf(attribute);
  if (value === undefined) return undefined;
  const differing = `count(distinct ${value}) + (count(*) > count(${value}))::int - 1`;
  return `select coalesce(sum(differing), 0) from (select ${differing} as differing from ${quote(type.table)} as version group by "document_id", "published_at" is not null) as each`;
};

/**
 * Values of other locales stay until somebody saves the document: a write sets one locale's value in all of them. This
 * must be allowed like any loss.
 */
export const shareValues = ({ draft }: Findings, change: Change): void => {
  for (const turn of sharingTurns(change)) {
    if (!turn.becomesShared) continue;
    const { type, name } = turn;
    const place = `${type.table}.${name}`;
    const reason = `${place} would be shared by all locales of a document: the next write to one replaces the values of the others`;
    const loss = `values of ${place} that differ between locales, when a document is saved`;
    if (!dare(draft, `narrow:${place}`, reason, loss)) continue;
    const sql = countDiffering(turn);
    if (sql !== undefined) draft.concerns.push({ what: `values of ${place} that differ between locales`, sql });
  }
};
