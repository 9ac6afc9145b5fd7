/** The parts of a migration: statements, and what must be said about them. */
import type { Conversion } from "./convert.ts";

/** From a place in the database, or one already named in the schema's terms, to the name for people. */
export type Naming = (place: string) => string;

/**
 * In this order: what locks whole tables comes late in the transaction, when the long work is done.
 * The first two stages run before it and the last two after it, one statement at a time; the first two may run again.
 */
export const stages = [
  "prepare",
  "fill",
  "rename",
  "create",
  "lock",
  "move",
  "index",
  "alter",
  "check",
  "constraint",
  "drop",
  "online",
  "copy",
] as const;
export type Stage = (typeof stages)[number];

export interface Step {
  readonly stage: Stage;
  /** One or more statements, each ending in a semicolon; empty if the step before does this too. */
  readonly sql: string;
  /** What it does: `adds articles.subtitle`; undefined if another step says so. */
  readonly does?: string | undefined;
  /** It removes rows and nothing else: the other rows stay as they are. */
  readonly removes?: true;
  /** What it blocks meanwhile. */
  readonly locks?: string | undefined;
  /** What it loses. */
  readonly loses?: string | undefined;
  /** From here on, processes of the build on the other side of the migration fail, or write what nobody will read. */
  readonly breaks?: true;
}

/** What a migration may do with data only if told to. */
export interface Risk {
  /** The `--allow` value: `drop:article.subtitle`; undefined if nothing can allow it. */
  readonly flag: string | undefined;
  /** What would be lost, or why it is impossible, and what to do instead. */
  readonly reason: string;
}

/** A migration's effect on content, counted by a statement in the database before it runs. */
export interface Concern {
  /** What is counted: `values of articles.subtitle`. */
  readonly what: string;
  /** Returns one number. */
  readonly sql: string;
  /** The same without values that equal their attribute's default. */
  readonly beyondDefault?: string | undefined;
  /** What to do about it if it blocks the migration. */
  readonly stops?: string | undefined;
  /** Its fate if it is not lost: it lacks a required value, becomes visible to all, or becomes invisible. */
  readonly becomes?: "hides" | "leaves" | "publishes";
}

/** One direction of a migration while it is put together. */
export interface Draft {
  readonly steps: Step[];
  readonly risks: Risk[];
  /** Losses without a step of their own, such as fields inside JSON. */
  readonly losses: string[];
  /** All losses, and what would block the migration, in numbers. */
  readonly concerns: Concern[];
  /** Attributes that become required, and for which existing content may have no value. */
  readonly lacking: string[];
  /** What processes of the other build do with what is new: `leave out …`, `refuse to publish …`. */
  readonly overlooked: string[];
  readonly way: "up" | "down";
  /** Whether it may lose anything: the way back removes what the migration added. */
  readonly takesAll: boolean;
  /** What the command line allows. */
  readonly allowed: ReadonlySet<string>;
  /** Which of those permissions were needed. */
  readonly used: Set<string>;
  readonly naming: Naming;
}

export const emptyDraft = (
  way: Draft["way"],
  naming: Naming = (place) => place,
  allowed: Iterable<string> = [],
): Draft => ({
  steps: [],
  risks: [],
  losses: [],
  concerns: [],
  lacking: [],
  overlooked: [],
  way,
  takesAll: way === "down",
  allowed: new Set(allowed),
  used: new Set(),
  naming,
});

/** `drop:articles.meta_title` in the schema's terms: `drop:article.metaTitle`. */
export const flagOf = ({ naming }: Pick<Draft, "naming">, flag: string): string => {
  const at = flag.indexOf(":") + 1;
  return flag.slice(0, at) + naming(flag.slice(at));
};

/** Whether it may be lost, which is recorded: allowed in the schema's terms, or as the database names it. */
export const isAllowed = (draft: Draft, flag: string): boolean => {
  const own = flagOf(draft, flag);
  if (!draft.allowed.has(own) && !draft.allowed.has(flag)) return false;
  draft.used.add(own);
  return true;
};

/** How a place is converted: texts exactly, if that is allowed. */
export const allowedConversion = (draft: Draft, place: string, known: Conversion): Conversion =>
  known.kind === "unknown" && known.exact && isAllowed(draft, `narrow:${place}`) ? known.exact : known;

/**
 * Records a possible loss; true if the migration may proceed with it.
 *
 * @param flag the permission, such as `drop:` with a place in the database
 * @param loss its name in the header, if no step names it
 */
export const dare = (draft: Draft, flag: string, reason: string, loss?: string): boolean => {
  if (draft.takesAll || isAllowed(draft, flag)) {
    if (loss !== undefined) draft.losses.push(loss);
    return true;
  }
  draft.risks.push({ flag: flagOf(draft, flag), reason });
  return false;
};
