/**
 * Writers of one document stand in line before they take a connection: few of them wait for the database, and leave the
 * other connections to writers of other documents.
 *
 * Whoever needs several documents stands in all their lines at once, in the order of arrival, and in none while it
 * holds a lock of the database; so nobody waits in a circle.
 */
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Turns } from "../context.ts";

interface Ticket {
  readonly documentIds: ReadonlySet<string>;
  /** The lines in which its turn has not come. */
  waits: number;
  start(): void;
}

interface Line {
  /** How many have their turn. */
  busy: number;
  readonly waiting: Set<Ticket>;
}

/** The next of a line finds its statements waiting in the database when the first commits; more would gain nothing. */
const AT_ONCE = 2;
/** With fewer connections, two would leave too few for other documents. */
const ENOUGH = 4;

/** Nobody waits yet. */
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
