/** What a migration that was written concerns in a database, from the snapshots on both sides of it. */
import { backwards } from "../hints.ts";
import { recordedChange } from "../history/recorded-change.ts";
import { goOneWay } from "../one-way.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Concern, emptyDraft } from "../step.ts";
import { lackedBefore } from "./lacked.ts";
import { namingOf } from "./places.ts";

/** Each once: entries of one component may stand in many places. */
export const distinct = (concerns: readonly Concern[]): readonly Concern[] => [
  ...new Map(concerns.map((each) => [each.what, each])).values(),
];

/**
 * What goes by a migration, what it would stop at, and what lacks a value that it requires. Several are looked at as one,
 * so that the statements run in the database as it is before the first of them.
 *
 * @param snapshots that of the database, and those of the migrations up to the one in question
 * @param lacking places that its header says content may lack a value at
 */
export const concernsOf = (
  snapshots: readonly Snapshot[],
  lacking: readonly string[],
  defaultLocale: string,
): readonly Concern[] => {
  const change = recordedChange(snapshots, defaultLocale);
  const allowed = snapshots.flatMap((each) => each.allowed ?? []);
  const draft = { ...emptyDraft("up", namingOf(change), allowed), takesAll: true };
  goOneWay(change, draft);
  return distinct([...draft.concerns, ...lackedBefore(change, lacking)]);
};

/**
 * The same of the way back.
 *
 * @param snapshots that of where it leads, and those of the migrations that are undone
 */
export const concernsBack = (snapshots: readonly Snapshot[], defaultLocale: string): readonly Concern[] => {
  const draft = emptyDraft("down");
  goOneWay(backwards(recordedChange(snapshots, defaultLocale)), draft);
  return distinct(draft.concerns);
};
