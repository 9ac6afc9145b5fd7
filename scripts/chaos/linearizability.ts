/**
 * Decides whether a recorded history is linearizable: whether operations that took effect one after another, each at
 * one moment between its call and its return, explain it.
 *
 * The algorithm is Wing and Gong's, in the form of "just in time" linearization: it walks through the history in order
 * of time with the set of all explanations that are still possible; when an operation returns, it must have taken
 * effect in each of them. An operation of unknown outcome (its client got no answer, or 503) never returns: it may take
 * effect once, at any later moment, or not at all.
 */

/** The effects of operations on one object. States are texts, so that they can be compared. */
export interface Model<Operation> {
  /** The state after `operation`; undefined if its result is impossible in `state`. */
  apply(state: string, operation: Operation): string | undefined;
  /** Operations of unknown outcome with the same effect are interchangeable. */
  effect(operation: Operation): string;
}

export interface Recorded<Operation> {
  readonly operation: Operation;
  /** The times of call and return (undefined: unknown outcome), in milliseconds. */
  readonly called: number;
  readonly returned: number | undefined;
}

export type Verdict<Operation> =
  /** `states` are the object's possible states now. */
  | { readonly kind: "explained"; readonly states: readonly string[] }
  /** `at` is the first operation whose result no explanation allows. */
  | { readonly kind: "contradicted"; readonly at: Recorded<Operation>; readonly states: readonly string[] }
  /** There are more possible explanations than the limit. */
  | { readonly kind: "undecided" };

/** One possible course of events so far. */
interface Explanation {
  readonly state: string;
  /** Operations that have taken effect but not returned, so they must not take effect again. */
  readonly done: readonly number[];
}

const MOST_EXPLANATIONS = 20_000;

const keyOfExplanation = ({ state, done }: Explanation): string => `${done.join(",")}|${state}`;

interface Event {
  readonly time: number;
  readonly index: number;
  readonly isReturn: boolean;
}

/** Calls sort before returns of the same moment: operations that touch count as concurrent. */
const inOrder = <Operation>(history: readonly Recorded<Operation>[]): Event[] =>
  history
    .flatMap(({ called, returned }, index): Event[] => [
      { time: called, index, isReturn: false },
      ...(returned === undefined ? [] : [{ time: returned, index, isReturn: true }]),
    ])
    .sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn));

/** The operations that may take effect next: of unknown ones with the same effect, only the earliest. */
const candidates = <Operation>(
  { done }: Explanation,
  pending: ReadonlySet<number>,
  history: readonly Recorded<Operation>[],
  model: Model<Operation>,
): number[] => {
  const seen = new Set<string>();
  return [...pending].filter((index) => {
    const each = history[index];
    if (!each || done.includes(index)) return false;
    if (each.returned !== undefined) return true;
    const effect = model.effect(each.operation);
    if (seen.has(effect)) return false;
    seen.add(effect);
    return true;
  });
};

/** All explanations in which `index` has taken effect, which is then forgotten. Undefined if there are too many. */
const explain = <Operation>(
  before: readonly Explanation[],
  index: number,
  pending: ReadonlySet<number>,
  history: readonly Recorded<Operation>[],
  model: Model<Operation>,
): Explanation[] | undefined => {
  const found = new Map<string, Explanation>();
  const seen = new Set(before.map(keyOfExplanation));
  const open = [...before];
  for (let current = open.pop(); current; current = open.pop()) {
    if (current.done.includes(index)) {
      const without = { state: current.state, done: current.done.filter((each) => each !== index) };
      found.set(keyOfExplanation(without), without);
      continue;
    }
    for (const candidate of candidates(current, pending, history, model)) {
      const each = history[candidate];
      const state = each && model.apply(current.state, each.operation);
      if (state === undefined) continue;
      const next = { state, done: [...current.done, candidate].sort((a, b) => a - b) };
      const key = keyOfExplanation(next);
      if (seen.has(key)) continue;
      if (seen.size >= MOST_EXPLANATIONS) return undefined;
      seen.add(key);
      open.push(next);
    }
  }
  return [...found.values()];
};

/**
 * Checks the history of one object that began in one of the states `start`. The resulting states are for a system at
 * rest: what has not taken effect by the end of the history never will.
 */
export const check = <Operation>(
  model: Model<Operation>,
  start: readonly string[],
  history: readonly Recorded<Operation>[],
): Verdict<Operation> => {
  let explanations: readonly Explanation[] = start.map((state) => ({ state, done: [] }));
  const pending = new Set<number>();
  for (const { index, isReturn } of inOrder(history)) {
    if (!isReturn) {
      pending.add(index);
      continue;
    }
    const after = explain(explanations, index, pending, history, model);
    const at = history[index];
    if (!after || !at) return { kind: "undecided" };
    if (after.length === 0) return { kind: "contradicted", at, states: statesOf(explanations) };
    explanations = after;
    pending.delete(index);
  }
  return { kind: "explained", states: statesOf(explanations) };
};

const statesOf = (explanations: readonly Explanation[]): string[] => [
  ...new Set(explanations.map(({ state }) => state)),
];
