/** Webhook deliveries: one event per acknowledged write, in the order of a document's writes. */
import { setTimeout as wait } from "node:timers/promises";
import type { Received } from "../../test/support/webhook-receiver.ts";
import type { Area, Session } from "./area.ts";
import type { Contradiction } from "./history.ts";
import { dig } from "./json.ts";

const MESSAGES = 6;
const PATH = "/api/messages";

/**
 * The maximum delay of an event, in milliseconds, once every process serves again: longer than a killed process's
 * claim.
 */
const PATIENCE = 60_000;

const found = (name: string, lost: boolean, explanation: string): Contradiction => ({ name, lost, explanation });

/** Errors in the received events, independent of what was written. */
const faultsOf = (received: readonly Received[]): readonly Contradiction[] => {
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();
  const newest = new Map<string, number>();
  const faults: Contradiction[] = [];
  for (const { id, event, documentId, value, body } of received) {
    const before = bodies.get(id);
    if (before !== undefined && before !== body) faults.push(found(`event ${id}`, false, `${before} became ${body}`));
    bodies.set(id, body);
    const change = `${event} of ${documentId} with ${value}`;
    if ((ids.get(change) ?? id) !== id) faults.push(found(change, false, `came as ${ids.get(change)} and as ${id}`));
    ids.set(change, id);
    const last = newest.get(documentId) ?? 0;
    if (before === undefined && value < last) faults.push(found(change, false, `came after ${last}`));
    newest.set(documentId, Math.max(last, value));
  }
  return faults;
};

/** @param received the events that the webhook's receiver got; emptied after each check */
export const createMessages = (received: Received[]): Area => {
  const acknowledged = new Set<string>();
  /** Documents that nobody is writing to. One whose last write has an unknown outcome never becomes available again. */
  const free: string[] = [];
  let values = 0;

  const missing = (): readonly string[] => {
    const got = new Set(received.map(({ documentId, value }) => `${documentId} ${value}`));
    return [...acknowledged].filter((each) => !got.has(each));
  };

  const write = async (session: Session, documentId: string | undefined): Promise<void> => {
    const value = (values += 1);
    const [method, path] = documentId === undefined ? ["POST", PATH] : ["PUT", `${PATH}/${documentId}`];
    const body = JSON.stringify({ data: { value } });
    const result = await session.ask(`${method} message`, { method, path, body });
    const written = dig(result.body, "data", "documentId");
    if (result.outcome === "none" && documentId !== undefined) free.push(documentId);
    if (result.outcome !== "done" || typeof written !== "string") return;
    acknowledged.add(`${written} ${value}`);
    free.push(written);
  };

  return {
    prepare: (session) => write(session, undefined),
    act: (session) => write(session, free.length < MESSAGES && session.random.chance(0.3) ? undefined : free.shift()),
    async readAll() {
      const until = Date.now() + PATIENCE;
      while (missing().length > 0 && Date.now() < until) await wait(50);
    },
    settle() {
      const lost = missing().map((each) => found(`event of ${each}`, true, "no receiver was told"));
      const contradictions = [...lost, ...faultsOf(received)];
      acknowledged.clear();
      return { contradictions, undecided: 0 };
    },
  };
};
