/** Proposes indexes that would make requests cheaper, most valuable first. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { quote } from "../../migrate/sql.ts";
import type { FoundTable } from "../../migrate/tables/introspect.ts";
import type { Proposal, Unindexed } from "../finding.ts";
import { grouped } from "../size.ts";
import { orderedBytes, searchedBytes } from "./estimate.ts";
import { type Evidence, withUses } from "./evidence.ts";
import { isOrdered, type Trigrams, unsearched } from "./existing.ts";
import type { TableEstimate } from "./tables.ts";
import type { TypeTable } from "./types.ts";
import type { Use } from "./uses.ts";

/** What is known about one content type. */
export interface Subject extends TypeTable {
  readonly found: FoundTable;
  readonly estimate: TableEstimate;
  /** The columns that `_q` searches. */
  readonly searched: readonly string[];
  /** Observed uses of its table; undefined if statements are not tracked. */
  readonly evidence: readonly Evidence[] | undefined;
}

export interface Proposing {
  readonly trigrams: Trigrams;
  /** Whether to propose indexes for uses not observed in any request. */
  readonly all: boolean;
  /** Returns a name that no table, index, sequence or other proposal has. */
  readonly free: (name: string) => string;
}

export type Proposed = ReturnType<typeof propose>;

/** A statement that takes less, in milliseconds, needs no index. */
const CHEAP = 1;
/** With fewer distinct values, each is in so many rows that an index is no faster. */
const FEW = 20;
/** A B-tree entry has at most 2,704 bytes; a character has up to four. */
const LONGEST = 600;

/** Whether values always fit into a B-tree: longer ones would make writes fail. */
const fits = ({ found, columns }: Subject, column: string): boolean => {
  const type = found.columns.get(column)?.type;
  if (type === undefined) return false;
  const length = /^character varying\((\d+)\)$/.exec(type)?.[1];
  if (length !== undefined) return Number(length) <= LONGEST;
  return type !== "text" && type !== "character varying" ? true : columns.get(column)?.type === "enumeration";
};

const costs = (evidence: readonly Evidence[]): { readonly calls: number; readonly milliseconds: number } => ({
  calls: evidence.reduce((sum, { calls }) => sum + calls, 0),
  milliseconds: evidence.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
});

const isDear = (evidence: readonly Evidence[]): boolean => {
  const { calls, milliseconds } = costs(evidence);
  return calls > 0 && milliseconds / calls >= CHEAP;
};

/** Such as `asked 1,200 times, for 34 ms each`. */
const asked = (evidence: readonly Evidence[]): string => {
  const { calls, milliseconds } = costs(evidence);
  const mean = milliseconds / calls;
  const time = `${mean < 10 ? mean.toFixed(1) : grouped(mean)} ms`;
  return calls === 1 ? `asked once, for ${time}` : `asked ${grouped(calls)} times, for ${time} each`;
};

/** An index of this type's table that would have served `evidence`; `reads` is what happens without it. */
const proposalFor = (
  { type, table, estimate }: Subject,
  evidence: readonly Evidence[],
  { reads, ...index }: Pick<Proposal, "title" | "bytes" | "name" | "definition"> & { readonly reads: string },
): Proposal => {
  const without = `Without it, ${reads} ${grouped(estimate.rows)} versions are read`;
  return {
    type: type.uid,
    table,
    ...index,
    why: evidence.length === 0 ? `${without}.` : `${without}: ${asked(evidence)}.`,
    versions: estimate.rows,
    milliseconds: costs(evidence).milliseconds,
  };
};

/** The columns of an index for sorting by `column`, without the trailing id. */
const orderedColumns = ({ type }: Subject, column: string): readonly string[] => [
  ...(type.localized ? ["locale"] : []),
  column,
];

/** Serves requests that sort by a column, or filter by a value or range. */
const ordered = (
  subject: Subject,
  column: string,
  evidence: readonly Evidence[],
  free: Proposing["free"],
): Proposal => {
  const { table, columns, estimate } = subject;
  const on = orderedColumns(subject, column);
  const descends = evidence.some(({ uses }) => uses.some(({ kind, descending }) => kind === "sort" && descending));
  const keys = on.map(quote).join(", ");
  return proposalFor(subject, evidence, {
    title: `sorting and filtering by ${columns.get(column)?.attribute ?? column}`,
    reads: "all",
    bytes: orderedBytes(estimate, on),
    name: free(identifier(table, column, "sort")),
    definition: `on ${quote(table)} (${keys}${descends ? " desc" : ""}, ${quote("id")})`,
  });
};

const orders = (subject: Subject, { all, free }: Proposing): readonly Proposal[] => {
  const { columns, estimate, evidence = [], found } = subject;
  return [...columns].flatMap(([column, { type }]) => {
    if (!fits(subject, column) || isOrdered(found, column)) return [];
    const distinct = estimate.columns.get(column)?.distinct ?? (type === "boolean" ? 2 : Infinity);
    const known = withUses(
      evidence,
      (use) => use.column === column && (use.kind === "sort" || (use.kind === "compare" && distinct >= FEW)),
    );
    return isDear(known) || (all && type !== "boolean") ? [ordered(subject, column, known, free)] : [];
  });
};

const expressionOf = (kind: Use["kind"], column: string): string =>
  kind === "lower" ? `lower(${quote(column)}::text)` : quote(column);

const evidenceOfSearch = ({ evidence = [] }: Subject): readonly Evidence[] =>
  withUses(evidence, ({ kind }) => kind === "like" || kind === "lower");

/** Substring searches of requests, as expressions with their columns. */
const searches = (subject: Subject, all: boolean): ReadonlyMap<string, string> => {
  const { type, evidence, searched } = subject;
  const known = evidenceOfSearch(subject);
  const found = new Map<string, string>();
  if (isDear(known)) {
    for (const { kind, column } of known.flatMap(({ uses }) => uses)) found.set(expressionOf(kind, column), column);
  }
  // `_q` is for content; users and files are seldom searched.
  if (all || (evidence === undefined && type.uid.startsWith("api::"))) {
    for (const column of searched) found.set(expressionOf("lower", column), column);
  }
  return found;
};

/** One index for all substring searches: a search is fast only if all of its columns are indexed. */
const search = (subject: Subject, { trigrams, all, free }: Proposing): Proposal | "lacking" | undefined => {
  const { table, found, estimate } = subject;
  const wanted = searches(subject, all);
  const missing = unsearched(found, [...wanted.keys()]);
  if (missing.length === 0) return undefined;
  const { operators, isMissing } = trigrams;
  if (operators === undefined) return "lacking";
  const proposal = proposalFor(subject, evidenceOfSearch(subject), {
    title: "searching (_q), and filtering by parts of texts",
    reads: "the texts of all",
    bytes: searchedBytes(
      estimate,
      missing.flatMap((expression) => wanted.get(expression) ?? []),
    ),
    name: free(identifier(table, "search")),
    definition: `on ${quote(table)} using gin (${missing.map((each) => `${each} ${operators}`).join(", ")})`,
  });
  return isMissing ? { ...proposal, extension: "pg_trgm" } : proposal;
};

/** Uses not observed in any request, to choose from. */
const unindexedIn = (subject: Subject): Unindexed | undefined => {
  const { type, table, columns, estimate, found } = subject;
  const attributes = [...columns]
    .filter(([column, each]) => each.type !== "boolean" && fits(subject, column) && !isOrdered(found, column))
    .map(([column, { attribute }]) => ({
      name: attribute,
      bytes: orderedBytes(estimate, orderedColumns(subject, column)),
    }));
  return attributes.length === 0 ? undefined : { type: type.uid, table, versions: estimate.rows, attributes };
};

/** Proposals for one type. If statements are tracked, only for observed requests. */
export const propose = (subject: Subject, proposing: Proposing) => {
  const found = search(subject, proposing);
  const proposals = [...(typeof found === "object" ? [found] : []), ...orders(subject, proposing)];
  const isGuess = subject.evidence === undefined && !proposing.all;
  return {
    type: subject.type.uid,
    proposals,
    unindexed: isGuess ? unindexedIn(subject) : undefined,
    /** Whether a search would need an extension that the server lacks. */
    lacksTrigrams: found === "lacking",
  };
};
