/** What an existing migration affects in a database, from the snapshots on both sides of it. */
import { backwards } from "../backwards.ts";
import { recordedChange } from "../history/recorded-change.ts";
import { goOneWay } from "../one-way.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Concern, type Draft, emptyDraft } from "../step.ts";
import { lackedBefore } from "./lacked.ts";
import { namingOf } from "./places.ts";

/** Removes duplicates: entries of one component may be in many places. */
export const distinct = (concerns: readonly Concern[]): readonly Concern[] => [
  ...new Map(concerns.map((each) => [each.what, each])).values(),
];

/**
 * What a migration removes, what would stop it, and what lacks a value that it requires. Treats several as one, so that
 * the statements run in the database as it is before the first of them.
 *
 * @param snapshots the sides of all of them, oldest first, in either direction
 * @param lacking places where content may lack a value, according to the header of the way up
 */
export const concernsOf = (
  way: Draft["way"],
  snapshots: readonly Snapshot[],
  lacking: readonly string[],
  defaultLocale: string,
): readonly Concern[] => {
  const change = recordedChange(snapshots, defaultLocale);
  const allowed = snapshots.flatMap((each) => each.allowed ?? []);
  const draft = { ...emptyDraft(way, namingOf(change), allowed), takesAll: true };
  goOneWay(way === "up" ? change : backwards(change), draft);
  return distinct([...draft.concerns, ...(way === "up" ? lackedBefore(change, lacking) : [])]);
};
