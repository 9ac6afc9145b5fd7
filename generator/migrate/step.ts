/** The parts of a migration: statements with what must be said about them. */

/** From a place in the database, or one that is named by the schema already, to the name for people. */
export type Naming = (place: string) => string;

/**
 * In this order: what locks whole tables comes late in the transaction, when the long work is done.
 * The first two stages run before it and the last after it, one statement at a time; the first two may run again.
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
] as const;
export type Stage = (typeof stages)[number];

export interface Step {
  readonly stage: Stage;
  /** One statement or several, each ending in a semicolon; empty where the step before does this too. */
  readonly sql: string;
  /** What it does: `adds articles.subtitle`. */
  readonly does: string;
  /** Rows that go and nothing else: what stands in the others stays as it is. */
  readonly removes?: true;
  /** What waits for it meanwhile. */
  readonly locks?: string;
  /** What it cannot keep. */
  readonly loses?: string;
  /** Processes of the build on the other side of the migration fail from here on, or write what nobody will read. */
  readonly breaks?: true;
}

/** What a migration may do with data only when it is told to. */
export interface Risk {
  /** What `--allow` must say: `drop:article.subtitle`; undefined when nothing can allow it. */
  readonly flag: string | undefined;
  /** What would be lost, or why it cannot be done, and what to do instead. */
  readonly reason: string;
}

/** What a migration does to content, counted by a statement in the database before it runs. */
export interface Concern {
  /** What is counted: `values of articles.subtitle`. */
  readonly what: string;
  /** Answers with one number. */
  readonly sql: string;
  /** The same without values that are the default of their attribute. */
  readonly beyondDefault?: string | undefined;
  /** What to do about it, where the migration stops at it. */
  readonly stops?: string;
  /** What happens to it where it is not lost: it is left without a value that is required, shown to all, or shown to nobody. */
  readonly becomes?: "hides" | "leaves" | "publishes";
}

/** One way of a migration as it is put together. */
export interface Draft {
  readonly steps: Step[];
  readonly risks: Risk[];
  /** What goes without a step of its own, such as fields inside JSON. */
  readonly losses: string[];
  /** All of that, and what the migration would stop at, in numbers. */
  readonly concerns: Concern[];
  /** Attributes that are required from now on, and that content which is there may have no value for. */
  readonly lacking: string[];
  /** What processes of the other build do with what is new: `leave out …`, `refuse to publish …`. */
  readonly overlooked: string[];
  readonly way: "up" | "down";
  /** Whether it may take away whatever it does: on the way back what came with the migration goes with it. */
  readonly takesAll: boolean;
  /** What the command was told to allow. */
  readonly allowed: ReadonlySet<string>;
  /** What of that was needed. */
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

/** `drop:articles.meta_title` in the words of the schema: `drop:article.metaTitle`. */
export const flagOf = ({ naming }: Pick<Draft, "naming">, flag: string): string => {
  const at = flag.indexOf(":") + 1;
  return flag.slice(0, at) + naming(flag.slice(at));
};

/** Whether it may be lost, which is noted: allowed in the words of the schema, or as the database names it. */
export const isAllowed = (draft: Draft, flag: string): boolean => {
  const own = flagOf(draft, flag);
  if (!draft.allowed.has(own) && !draft.allowed.has(flag)) return false;
  draft.used.add(own);
  return true;
};

/**
 * Notes what may be lost; true when the migration may go on with it.
 *
 * @param flag what would allow it, such as `drop:` with a place in the database
 * @param loss how the header names it, where no step does
 */
export const dare = (draft: Draft, flag: string, reason: string, loss?: string): boolean => {
  if (draft.takesAll || isAllowed(draft, flag)) {
    if (loss !== undefined) draft.losses.push(loss);
    return true;
  }
  draft.risks.push({ flag: flagOf(draft, flag), reason });
  return false;
};
