/** One way of a migration: both sides, what corresponds, and what the schema says beyond its tables. */
import type { AttributeHints, Conversion } from "./convert.ts";
import type { Correspondence, Pair, Pairing } from "./names/pairings.ts";
import type { AttributeOutline, ComponentOutline, ContentTypeOutline, Snapshot, Tables } from "./snapshot.ts";
import type { Draft } from "./step.ts";

export interface Change {
  readonly old: Snapshot;
  readonly next: Snapshot;
  readonly correspondence: Correspondence;
  /** Written conversions and renamed enum values, by the place of the attribute: `api::article.article.price`. */
  readonly hints: ReadonlyMap<string, AttributeHints>;
  /** The locale of rows of types that had none. */
  readonly defaultLocale: string;
}

/** Other values of a column: from the SQL of a value to that of the other one. */
export interface Revaluation {
  /** Before it is converted to another type, or afterwards. */
  readonly when: "before" | "after";
  readonly using: (value: string) => string;
}

/** What moving data found out for the difference of the tables. */
export interface Findings {
  readonly draft: Draft;
  /** The tables of before, with what is renamed under its new name. */
  readonly present: Tables;
  readonly initial: Map<string, string>;
  readonly converts: Map<string, string>;
  /** What becomes of the values of columns whose attributes change their type. */
  readonly conversions: Map<string, Conversion>;
  readonly settled: Set<string>;
  /** What values of columns become beside what their types do to them: SQL of a value before that, or after it. */
  readonly revalued: Map<string, Revaluation>;
  /** Columns of which another one may take the place. */
  readonly replaceable: ReadonlySet<string>;
  /** Tables that nobody may write for a moment. */
  readonly held: Set<string>;
  /** The condition for a row of a table to fulfil another one afterwards, where rows go or are published: SQL over the names of before. */
  readonly remaining: Map<string, (where: string) => string>;
  /** New columns that are filled before the transaction. */
  readonly prepared: Set<string>;
  /** Tables whose content is copied elsewhere: a write in between would be lost. */
  readonly moved: Set<string>;
}

/** A content type or component that goes on. */
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

export interface PairedAttribute {
  readonly pair: Pair;
  readonly before: AttributeOutline;
  readonly after: AttributeOutline;
}

/** Attributes that go on. */
export const pairedAttributes = (
  pairs: readonly Pair[],
  before: ComponentOutline,
  after: ComponentOutline,
): readonly PairedAttribute[] =>
  pairs.flatMap((pair) => {
    const [was, is] = [before.attributes[pair.old], after.attributes[pair.new]];
    return was && is ? [{ pair, before: was, after: is }] : [];
  });
