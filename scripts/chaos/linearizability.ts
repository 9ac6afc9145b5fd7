/**
 * Decides whether a recorded history can be explained by operations that took effect one after the other, each at one
 * moment between its call and its return.
 *
 * The method is the one of Wing and Gong in the form of "just in time" linearization: the history is walked through in
 * order of time with the set of all explanations that are still possible; when an operation returns, each of them has to
 * have had it take effect. An operation whose outcome nobody knows (its client got no answer, or 503) never returns: it
 * may take effect once, at any later moment, or not at all.
 */

/** What operations do to one object. States are text, so that they can be told apart. */
export interface Model<Operation> {
  /** The state after `operation`; undefined when it cannot have had its result in `state`. */
  apply(state: string, operation: Operation): string | undefined;
  /** Operations of unknown outcome with the same effect can stand for one another. */
  effect(operation: Operation): string;
}

export interface Recorded<Operation> {
  readonly operation: Operation;
  /** When it was called, and when it returned (undefined: its outcome is unknown), in milliseconds. */
  readonly called: number;
  readonly returned: number | undefined;
}

export type Verdict<Operation> =
  /** `states` are those that the object may be in now. */
  | { readonly kind: "explained"; readonly states: readonly string[] }
  /** `at` is the first operation whose result no explanation allows. */
  | { readonly kind: "contradicted"; readonly at: Recorded<Operation>; readonly states: readonly string[] }
  /** More explanations are possible than are looked at. */
  | { readonly kind: "undecided" };

/** One way in which things may have gone so far. */
interface Explanation {
  readonly state: string;
  /** Operations that have taken effect and are not to do so again: those that have not returned yet. */
  readonly done: readonly number[];
}

const MOST_EXPLANATIONS = 20_000;

const keyOfExplanation = ({ state, done }: Explanation): string => `${done.join(",")}|${state}`;

interface Event {
  readonly time: number;
  readonly index: number;
  readonly isReturn: boolean;
}

/** Calls come before returns of the same moment: operations that touch count as concurrent. */
const inOrder = <Operation>(history: readonly Recorded<Operation>[]): Event[] =>
  history
    .flatMap(({ called, returned }, index): Event[] => [
      { time: called, index, isReturn: false },
      ...(returned === undefined ? [] : [{ time: returned, index, isReturn: true }]),
    ])
    .sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn));

/** The operations that may take effect next: of unknown ones with one effect, only the earliest. */
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

/** All explanations in which `index` has taken effect, which is then forgotten. Undefined when they are too many. */
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
 * Checks the history of one object that began in one of the states `start`. The states of the answer count for a system
 * at rest: what has not taken effect by the end of the history never will.
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
