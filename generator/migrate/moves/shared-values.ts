/** Attributes of localized types that all locales of a document share from a migration on, or no longer. */
import type { Change, Findings } from "../change.ts";
import type { Threads } from "../names/recall.ts";
import { threadsOf } from "../names/threads.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { dare } from "../step.ts";

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

/**
 * Values of other locales stay until somebody saves the document: a write sets the value of one locale in all of them.
 * That has to be allowed like any loss.
 */
export const shareValues = ({ draft }: Findings, change: Change): void => {
  for (const { becomesShared, type, name } of sharingTurns(change.old, change.next, threadsOf(change))) {
    if (!becomesShared) continue;
    const place = `${type.table}.${name}`;
    const reason = `${place} would be shared by all locales of a document: the next write to one replaces the values of the others`;
    dare(draft, `narrow:${place}`, reason, `values of ${place} that differ between locales, when a document is saved`);
  }
};
