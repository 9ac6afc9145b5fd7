/**
 * Queues writers of the same document before they take a connection. So only few of them wait in the database, and the
 * other connections are free for writers of other documents.
 *
 * A writer that needs several documents joins all of their queues at once, and never while it holds locks in the
 * database; so there are no deadlocks.
 */
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Turns } from "../context.ts";

interface Ticket {
  readonly documentIds: ReadonlySet<string>;
  /** The number of queues in which it still has to wait. */
  waits: number;
  start(): void;
}

interface Line {
  /** How many writers are at work. */
  busy: number;
  readonly waiting: Set<Ticket>;
}

/**
 * Most writers of a document at a time. When the first one commits, the second has its statements already waiting in
 * the database; more than two would gain nothing.
 */
const AT_ONCE = 2;
/**
 * With fewer connections than this only one writer per document is admitted, since two would leave too few connections
 * for others.
 */
const ENOUGH = 4;

/** Creates empty queues. */
export const createTurns = ({ pool, lockSeconds }: Pick<Config["database"], "pool" | "lockSeconds">): Turns => {
  const atOnce = pool < ENOUGH ? 1 : AT_ONCE;
  const lines = new Map<string, Line>();

  const join = (ticket: Ticket): void => {
    for (const documentId of ticket.documentIds) {
      const line = lines.get(documentId) ?? { busy: 0, waiting: new Set() };
      lines.set(documentId, line);
      if (line.busy < atOnce) line.busy += 1;
      else {
        line.waiting.add(ticket);
        ticket.waits += 1;
      }
    }
  };

  const pass = (documentId: string, line: Line): void => {
    const next = line.waiting.values().next().value;
    if (next) {
      line.waiting.delete(next);
      next.waits -= 1;
      if (next.waits === 0) next.start();
    } else {
      line.busy -= 1;
      if (line.busy === 0) lines.delete(documentId);
    }
  };

  const leave = (ticket: Ticket): void => {
    for (const documentId of ticket.documentIds) {
      const line = lines.get(documentId);
      if (line?.waiting.delete(ticket) === false) pass(documentId, line);
    }
  };

  const wait = (ticket: Ticket): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(ticket);
        reject(new ServiceUnavailableError("Others hold what this needs; try again"));
      }, lockSeconds * 1000);
      ticket.start = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    async take(documentIds, work) {
      const ticket: Ticket = { documentIds: new Set(documentIds), waits: 0, start: () => {} };
      join(ticket);
      if (ticket.waits > 0) await wait(ticket);
      try {
        return await work();
      } finally {
        leave(ticket);
      }
    },
  };
};
