/** From the committed snapshot and the new tables to the files of a migration. */
import { checksumOf } from "../../runtime/database/migrations/files.ts";
import type { Model } from "../model/model.ts";
import { backwards } from "./backwards.ts";
import { type Change, pairedTypes } from "./change.ts";
import { destination } from "./destination.ts";
import { hintsFor } from "./hints.ts";
import { divergence, newestSnapshot, type Recorded } from "./history/history.ts";
import { outlineModel } from "./history/outline.ts";
import { correspond } from "./names/correspondence.ts";
import { proposeRenames } from "./names/proposals.ts";
import { keepsAsMuch, recordChange } from "./names/threads.ts";
import { unheardRenames } from "./names/unheard-renames.ts";
import { goOneWay } from "./one-way.ts";
import { distinct } from "./report/concerns.ts";
import { lackedBefore } from "./report/lacked.ts";
import { namingOf } from "./report/places.ts";
import { phasedTitle, slug, stamp, titleOf } from "./report/title.ts";
import { writeSql } from "./report/write-sql.ts";
import { printSnapshot, type Snapshot } from "./snapshot.ts";
import { type Concern, type Draft, emptyDraft, type Risk } from "./step.ts";

export interface PlanInput {
  readonly model: Model;
  /** The shape of the new tables: see `describeTables`. */
  readonly tables: Pick<Snapshot, "tables" | "sequences">;
  readonly history: readonly Recorded[];
  /** What may be lost: `drop:articles.subtitle`. */
  readonly allow: readonly string[];
  readonly defaultLocale: string;
  /** Two-step renames: begins them, or ends those that were begun. */
  readonly phase?: "expand" | "contract" | undefined;
  readonly now: Date;
  /** Name of the newest migration, hand-written ones included. */
  readonly last: string | undefined;
  /** The migration's name, if it is not derived from what it does. */
  readonly named?: string | undefined;
}

export interface PlannedMigration {
  /** Folder name: `20260102030405_add_article_subtitle`. */
  readonly name: string;
  /** File name to content. */
  readonly files: Readonly<Record<"up.sql" | "down.sql" | "snapshot.json", string>>;
}

export type MigrationPlan =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "planned";
      readonly migration: PlannedMigration;
      /** Possible renames that the schema does not declare. */
      readonly proposals: readonly string[];
      /** What it would remove or stop at, if that exists. */
      readonly concerns: readonly Concern[];
    }
  /** Nothing may be written: it would lose data without permission. */
  | { readonly kind: "refused"; readonly risks: readonly Risk[]; readonly proposals: readonly string[] }
  /** Two migrations have the same base. */
  | { readonly kind: "diverged"; readonly first: string; readonly second: string };

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** What snapshots say about a schema beyond its tables, in any order. */
const outlineText = ({ contentTypes, components, required, shared, history, swapped }: Snapshot): string =>
  JSON.stringify({ contentTypes, components, required, shared, history, swapped }, sorted);

/**
 * Whether the schema says the same. Changes of JSON-stored content change no table, yet must be recorded: they tell a
 * later rename from an addition. So must required attributes, which content may lack, shared attributes, whose values
 * may differ between locales, types that keep versions, and swaps, which may happen again. What an older snapshot does not record counts as
 * unchanged.
 */
const sameOutline = (old: Snapshot, next: Snapshot): boolean => {
  const required = old.required && next.required;
  const shared = next.shared && old.shared;
  const history = next.history && old.history;
  const after = { ...next, required, shared: old.shared && next.shared, history: old.history && next.history };
  return outlineText({ ...old, shared, history }) === outlineText(after);
};

/** A migration that must leave the older build's processes working has to do so. */
const refuseBreaks = (draft: Draft): void => {
  for (const { breaks, does } of draft.steps) {
    if (!breaks || does === undefined) continue;
    const reason = `with --expand processes of the older build go on, but not with what else this changes: it ${does}. Make that a migration of its own, without --expand, before which they are stopped`;
    draft.risks.push({ flag: undefined, reason });
  }
};

/** From the newest snapshot of `history` to the model. */
const directionOf = ({ model, tables, history, defaultLocale, phase }: Omit<PlanInput, "now" | "last">) => {
  const old = newestSnapshot(history);
  const correspondence = correspond(old, model);
  const bare: Snapshot = { version: 1, previous: history.at(-1)?.name ?? null, ...outlineModel(model), ...tables };
  const { next, risks } = destination(old, bare, correspondence, phase);
  const change: Change = {
    old,
    next,
    correspondence,
    hints: hintsFor(model, old, next, correspondence),
    defaultLocale,
  };
  return {
    change,
    risks: [...unheardRenames(old, model, correspondence), ...risks],
  };
};

const titleFor = (change: Change, { steps }: Draft, { named, phase }: PlanInput): string => {
  if (named !== undefined) return slug(named);
  return phase === undefined ? titleOf(change, steps) : phasedTitle(change, steps, phase);
};

/** Kept for statements that count links in other locales. */
const localizedAs = (change: Change): Pick<Snapshot, "localizedAs"> =>
  pairedTypes(change).some(({ before, after }) => !before.localized && after.localized)
    ? { localizedAs: change.defaultLocale }
    : {};

/** Plans the migration from the newest snapshot to the model and its tables. Reads and writes nothing. */
export const planMigration = (input: PlanInput): MigrationPlan => {
  const { history, allow, phase, now, last, named } = input;
  const diverged = divergence(history);
  if (diverged) return { kind: "diverged", ...diverged };
  const { change, risks } = directionOf(input);
  if (risks.length > 0) return { kind: "refused", risks, proposals: [] };
  const naming = namingOf(change);
  const proposals = proposeRenames(change, naming);
  const up = emptyDraft("up", naming, allow);
  goOneWay(change, up);
  if (phase === "expand") refuseBreaks(up);
  if (up.risks.length > 0) return { kind: "refused", risks: up.risks, proposals };
  if (up.steps.length === 0 && sameOutline(change.old, change.next)) return { kind: "unchanged" };
  const down = emptyDraft("down");
  goOneWay(backwards(change), down);
  const title = titleFor(change, up, input);
  const [upSql, downSql] = [writeSql(title, up), writeSql(`${title}, undone`, down)];
  const snapshot: Snapshot = {
    ...change.next,
    ...(up.used.size === 0 ? {} : { allowed: [...up.used].sort() }),
    ...(named === undefined ? {} : { named }),
    ...recordChange(change),
    ...localizedAs(change),
    written: { up: checksumOf(upSql), down: checksumOf(downSql) },
  };
  return {
    kind: "planned",
    proposals,
    concerns: distinct([...up.concerns, ...lackedBefore(change, up.lacking)]),
    migration: {
      name: `${stamp(now, last)}_${title}`,
      files: { "up.sql": upSql, "down.sql": downSql, "snapshot.json": printSnapshot(snapshot) },
    },
  };
};

/** Plans one migration instead of the last `count` of the history and what follows them. */
export const planInstead = (input: PlanInput, count: number): MigrationPlan | undefined => {
  const [kept, made] = [input.history.slice(0, -count), input.history.slice(-count)];
  const snapshots = made.map(({ snapshot }) => snapshot);
  const allow = [...input.allow, ...snapshots.flatMap(({ allowed = [] }) => allowed)];
  const named = input.named ?? snapshots.at(-1)?.named;
  const direct: PlanInput = { ...input, history: kept, allow, named };
  const isSafe = keepsAsMuch(newestSnapshot(kept), snapshots, directionOf(input).change, directionOf(direct).change);
  return isSafe ? planMigration(direct) : undefined;
};
