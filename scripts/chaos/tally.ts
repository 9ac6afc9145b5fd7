/** Counts the outcomes for clients during one fault. */
import type { Answer } from "./client.ts";

export interface Tally {
  acknowledged: number;
  /** Requests with unknown outcomes: 503, or a lost connection. */
  unknown: number;
  hung: number;
  /** Answers that should never occur, with their counts. */
  readonly wrong: Map<string, number>;
  /** Connections that ended without an answer, by request and known cause. */
  readonly resets: Map<string, number>;
}

export const createTally = (): Tally => ({ acknowledged: 0, unknown: 0, hung: 0, wrong: new Map(), resets: new Map() });

const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

export const addWrong = ({ wrong }: Tally, what: string): void => count(wrong, what);

/**
 * Counts an answer, and returns the request's outcome: done (with the answer's text), object missing (by the statuses
 * `missing`), no effect, or unknown.
 */
export const judge = (
  tally: Tally,
  what: string,
  answer: Answer,
  missing: readonly number[] = [404],
): { readonly outcome: "done" | "missing" | "none" | "unknown"; readonly text: string } => {
  if (answer.kind === "refused") return { outcome: "none", text: "" };
  if (answer.kind !== "answered") {
    if (answer.kind === "silent") tally.hung += 1;
    else count(tally.resets, `${what}: ${answer.cause}`);
    tally.unknown += 1;
    return { outcome: "unknown", text: "" };
  }
  const { status, text } = answer;
  if (status < 300) {
    tally.acknowledged += 1;
    return { outcome: "done", text };
  }
  if (missing.includes(status)) return { outcome: "missing", text };
  if (status < 500) {
    // Client errors are failures of the server: every request of the workload is well formed.
    addWrong(tally, `${status} to ${what}: ${text.slice(0, 200)}`);
    return { outcome: "none", text };
  }
  tally.unknown += 1;
  if (status !== 503) addWrong(tally, `${status} to ${what}`);
  return { outcome: "unknown", text };
};
