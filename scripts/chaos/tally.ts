/** What clients met with while one fault was tried. */
import type { Answer } from "./client.ts";

export interface Tally {
  acknowledged: number;
  /** Requests that nobody knows the outcome of: 503, or a connection that ended. */
  unknown: number;
  hung: number;
  /** What should never have been answered, and how often. */
  readonly wrong: Map<string, number>;
  /** Connections that ended without an answer, by what was asked and what is known of the cause. */
  readonly resets: Map<string, number>;
}

export const createTally = (): Tally => ({ acknowledged: 0, unknown: 0, hung: 0, wrong: new Map(), resets: new Map() });

const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

export const addWrong = ({ wrong }: Tally, what: string): void => count(wrong, what);

/**
 * Counts an answer, and says what is known of the request: it was done (with the answer's text), there was nothing to do
 * it to (by the statuses `missing`), it had no effect, or nobody knows.
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
    // What a client may not be blamed for: every request of the workload is well formed.
    addWrong(tally, `${status} to ${what}: ${text.slice(0, 200)}`);
    return { outcome: "none", text };
  }
  tally.unknown += 1;
  if (status !== 503) addWrong(tally, `${status} to ${what}`);
  return { outcome: "unknown", text };
};
