/** All requests of clients and their answers, by object, and the conclusions from them. */
import { check, type Model, type Recorded, type Verdict } from "./linearizability.ts";

export interface Contradiction {
  readonly name: string;
  /** Whether an acknowledged write is lost; otherwise a client saw a state that never existed. */
  readonly lost: boolean;
  readonly explanation: string;
}

/** The history of the objects of one kind. */
export interface Ledger<Operation> {
  /** Starts the history of an object in `state`. */
  open(name: string, state: string): void;
  record(name: string, entry: Recorded<Operation>): void;
  /** Ends the history of an object that nobody will use again. */
  close(name: string): void;
  /**
   * Checks everything recorded since the last time, and starts over. Nothing may be running, and the last operations
   * must be reads of everything.
   */
  settle(): { readonly contradictions: readonly Contradiction[]; readonly undecided: number };
}

interface Kind<Operation> {
  readonly model: Model<Operation>;
  readonly isRead: (operation: Operation) => boolean;
  /** Removes irrelevant operations from a history. */
  readonly reduce?: (history: readonly Recorded<Operation>[]) => Recorded<Operation>[];
  /** The possible states of an object after a contradictory history, by its last reads. */
  readonly resume: (history: readonly Recorded<Operation>[]) => string;
}

interface Entry<Operation> {
  states: readonly string[];
  history: Recorded<Operation>[];
  closed: boolean;
}

const describe = <Operation>(verdict: Verdict<Operation>, history: readonly Recorded<Operation>[]): string => {
  if (verdict.kind !== "contradicted") return "";
  const { at, states } = verdict;
  const since = (time: number | undefined): string => (time === undefined ? "?" : (time - at.called).toFixed(1));
  const before = history.filter((each) => each !== at && each.called <= (at.returned ?? at.called)).slice(-12);
  const lines = [...before, at].map(
    ({ operation, called, returned }) => `${since(called)} to ${since(returned)} ms: ${JSON.stringify(operation)}`,
  );
  return [`was ${states.map((state) => `"${state}"`).join(" or ")} before the last of:`, ...lines].join("\n    ");
};

export const createLedger = <Operation>({ model, isRead, reduce, resume }: Kind<Operation>): Ledger<Operation> => {
  const entries = new Map<string, Entry<Operation>>();

  /** The writes, and the reads after the last one: if these contradict each other, a write is lost. */
  const writesAndLastReads = (history: readonly Recorded<Operation>[]): Recorded<Operation>[] => {
    const writes = history.filter(({ operation }) => !isRead(operation));
    const end = Math.max(0, ...writes.map(({ called, returned }) => returned ?? called));
    return history.filter(({ operation, called }) => !isRead(operation) || called >= end);
  };

  const settleOne = (name: string, entry: Entry<Operation>): Contradiction | "undecided" | undefined => {
    const history = reduce ? reduce(entry.history) : entry.history;
    const start = entry.states;
    const verdict = check(model, start, history);
    entry.states = verdict.kind === "explained" ? verdict.states : [resume(entry.history)];
    entry.history = [];
    if (verdict.kind === "undecided") return "undecided";
    if (verdict.kind === "explained") return undefined;
    const lost = check(model, start, writesAndLastReads(history)).kind === "contradicted";
    return { name, lost, explanation: describe(verdict, history) };
  };

  return {
    open: (name, state) => void entries.set(name, { states: [state], history: [], closed: false }),
    record: (name, entry) => void entries.get(name)?.history.push(entry),
    close(name) {
      const entry = entries.get(name);
      if (entry) entry.closed = true;
    },
    settle() {
      const found = [...entries].map(([name, entry]) => settleOne(name, entry));
      for (const [name, { closed }] of entries) if (closed) entries.delete(name);
      return {
        contradictions: found.filter((each) => each !== undefined && each !== "undecided"),
        undecided: found.filter((each) => each === "undecided").length,
      };
    },
  };
};
