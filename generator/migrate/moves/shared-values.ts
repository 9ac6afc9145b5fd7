/** Attributes of localized types that all locales of a document share from a migration on. */
import type { Change, Findings } from "../change.ts";
import { threadsOf } from "../names/threads.ts";
import { sharingTurns } from "../report/sharing.ts";
import { dare } from "../step.ts";

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
