/** What a kind of objects offers to a workload, and what a client gives it to do its work with. */
import type { Call } from "./client.ts";
import type { Contradiction } from "./history.ts";
import type { Random } from "./random.ts";

/** What became of a request, with its times. */
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
   * Asks one of the servers that run; `what` names the request in reports, and the statuses `missing` (404) say that
   * there is nothing to do it to.
   */
  ask(what: string, call: Call, missing?: readonly number[]): Promise<Result>;
}

/** Objects of one kind, and all that is done to them. */
export interface Area {
  /** Makes the objects. */
  prepare(session: Session): Promise<void>;
  /** Does one operation, whichever. */
  act(session: Session): Promise<void>;
  /** Reads everything by every server; nothing else may be under way. */
  readAll(session: Session): Promise<void>;
  settle(): { readonly contradictions: readonly Contradiction[]; readonly undecided: number };
}
