/** What a kind of object offers to a workload, and what a client offers to it. */
import type { Call } from "./client.ts";
import type { Contradiction } from "./history.ts";
import type { Random } from "./random.ts";

/** A request's outcome, with its times. */
export interface Result {
  readonly outcome: "done" | "missing" | "none" | "unknown";
  readonly body: unknown;
  readonly called: number;
  readonly returned: number;
}

/** A client as operations see it. */
export interface Session {
  readonly random: Random;
  /**
   * Sends a request to one of the running servers; `what` names it in reports, and the statuses `missing` (404) mean
   * that its object does not exist.
   */
  ask(what: string, call: Call, missing?: readonly number[]): Promise<Result>;
}

/** Objects of one kind, and all operations on them. */
export interface Area {
  /** Creates the objects. */
  prepare(session: Session): Promise<void>;
  /** Runs one random operation. */
  act(session: Session): Promise<void>;
  /** Reads everything from every server; nothing else may be running. */
  readAll(session: Session): Promise<void>;
  settle(): { readonly contradictions: readonly Contradiction[]; readonly undecided: number };
}
