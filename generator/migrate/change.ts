/** One direction of a migration: both sides, what corresponds, and what the schema says beyond its tables. */
import type { AttributeHints, Conversion } from "./convert.ts";
import type { Correspondence, Pair, Pairing } from "./names/pairings.ts";
import type { ComponentOutline, ContentTypeOutline, Snapshot, Tables } from "./snapshot.ts";
import type { Draft } from "./step.ts";

export interface Change {
  readonly old: Snapshot;
  readonly next: Snapshot;
  readonly correspondence: Correspondence;
  /** Written conversions and renamed enum values, by the place of the attribute: `api::article.article.price`. */
  readonly hints: ReadonlyMap<string, AttributeHints>;
  /** The locale for rows of types that had none. */
  readonly defaultLocale: string;
}

/** Replaces values of a column: from the SQL of the old value to that of the new one. */
export interface Revaluation {
  /** Whether before or after conversion to another type. */
  readonly when: "before" | "after";
  readonly using: (value: string) => string;
}

/** What the moves of data determined for the diff of the tables. */
export interface Findings {
  readonly draft: Draft;
  /** The old tables, with renamed parts under their new names. */
  readonly present: Tables;
  readonly initial: Map<string, string>;
  readonly converts: Map<string, string>;
  /** The conversions of columns whose attributes change their type. */
  readonly conversions: Map<string, Conversion>;
  readonly settled: Set<string>;
  /** Changes to column values besides their type conversion: SQL over the value before that, or after it. */
  readonly revalued: Map<string, Revaluation>;
  /** Columns that another one may replace. */
  readonly replaceable: ReadonlySet<string>;
  /** Tables that are briefly locked against writes. */
  readonly held: Set<string>;
  /**
   * Turns a condition on a table's rows after the migration into one on its rows before it, for tables whose rows are
   * removed or published: SQL over the old names.
   */
  readonly remaining: Map<string, (where: string) => string>;
  /** New columns that are filled before the transaction. */
  readonly prepared: Set<string>;
  /** Tables whose content is copied elsewhere: a write in between would be lost. */
  readonly moved: Set<string>;
}

/** A content type or component that continues. */
export interface Paired<Outline> {
  readonly pairing: Pairing;
  readonly before: Outline;
  readonly after: Outline;
}

export type PairedType = Paired<ContentTypeOutline>;

const paired = <Outline>(
  pairings: readonly Pairing[],
  old: Readonly<Record<string, Outline>>,
  next: Readonly<Record<string, Outline>>,
): readonly Paired<Outline>[] =>
  pairings.flatMap((pairing) => {
    const [before, after] = [old[pairing.old], next[pairing.new]];
    return before && after ? [{ pairing, before, after }] : [];
  });

export const pairedTypes = ({ old, next, correspondence }: Change): readonly PairedType[] =>
  paired(correspondence.contentTypes, old.contentTypes, next.contentTypes);

export const pairedComponents = ({ old, next, correspondence }: Change): readonly Paired<ComponentOutline>[] =>
  paired(correspondence.components, old.components, next.components);

/** Attributes of content types that continue, each with its type. */
export const continuing = (change: Change) =>
  pairedTypes(change).flatMap((type) =>
    pairedAttributes(type.pairing.attributes, type.before, type.after).map(({ pair, before: was, after: is }) => ({
      ...type,
      pair,
      was,
      is,
      /** Its present place: `api::article.article.title`. */
      place: `${type.pairing.new}.${pair.new}`,
    })),
  );

export type PairedAttribute = ReturnType<typeof pairedAttributes>[number];

/** Attributes that continue. */
export const pairedAttributes = (pairs: readonly Pair[], before: ComponentOutline, after: ComponentOutline) =>
  pairs.flatMap((pair) => {
    const [was, is] = [before.attributes[pair.old], after.attributes[pair.new]];
    return was && is ? [{ pair, before: was, after: is }] : [];
  });
