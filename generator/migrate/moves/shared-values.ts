/** Attributes of localized types that all locales of a document share from a migration on. */
import type { Change, Findings } from "../change.ts";
import { threadsOf } from "../names/threads.ts";
import { countDiffering, sharingTurns } from "../report/sharing.ts";
import { dare } from "../step.ts";

/**
 * Values of other locales stay until somebody saves the document: a write sets the value of one locale in all of them.
 * That has to be allowed like any loss.
 */
export const shareValues = ({ draft }: Findings, change: Change): void => {
  for (const turn of sharingTurns(change.old, change.next, threadsOf(change))) {
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
