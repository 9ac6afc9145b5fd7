/**
 * Snapshots of the database. If two calls return the same snapshot, nothing was committed in between, by any process; so
 * what was read in a snapshot can be reused for as long as it is current.
 */
import { inTime } from "../base/in-time.ts";

/** Identifies a snapshot of the database; the number only grows. */
export type DatabaseSnapshot = number;

export interface Snapshots {
  /**
   * The snapshot at some moment after the call; undefined where it cannot be determined. Calls made while a query is under
   * way share the next query.
   */
  current(): Promise<DatabaseSnapshot | undefined>;
  /** Forgets the known snapshots: after a reconnect the server may be another one, with its own count. */
  forget(): void;
}

/** Resolves when the event loop has read everything that has arrived. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Two turns: clients that were answered together send their next requests together, but not all in time for the first.
 * If nothing arrives, a turn takes a few microseconds.
 */
const taken = async (): Promise<void> => {
  await turn();
  await turn();
};

/**
 * Milliseconds after which a pending query no longer holds up the next one: its connection may be dead, or a slow
 * statement may be ahead of it.
 */
const PATIENCE = 200;

/** Resolves when `work` has ended, however it ended, or has taken too long. */
const endOrPatience = (work: Promise<unknown>): Promise<unknown> =>
  inTime(work, PATIENCE, () => new Error("no answer yet")).catch(() => {});

/** A query that was sent and has no answer yet. */
interface Pending {
  readonly number: number;
  resolve(snapshot: DatabaseSnapshot | undefined): void;
}

/** Snapshots, identified by a text that changes with each. */
class TextSnapshots implements Snapshots {
  readonly #ask: () => Promise<string | undefined>;
  #text: string | undefined;
  #snapshot: DatabaseSnapshot = 0;
  #sent = 0;
  #running: Promise<DatabaseSnapshot | undefined> | undefined;
  #next: Promise<DatabaseSnapshot | undefined> | undefined;
  readonly #pending = new Set<Pending>();

  /** @param ask asks the server for the text; undefined if there is none */
  constructor(ask: () => Promise<string | undefined>) {
    this.#ask = ask;
  }

  current(): Promise<DatabaseSnapshot | undefined> {
    // The query under way may have been answered before this call, so only the next one counts. It waits until the
    // requests that arrived at the same time have been read, so that they share it.
    this.#next ??= (this.#running ? endOrPatience(this.#running) : Promise.resolve())
      .then(taken)
      .then(() => this.#begin());
    return this.#next;
  }

  forget(): void {
    this.#text = undefined;
  }

  #begin(): Promise<DatabaseSnapshot | undefined> {
    this.#next = undefined;
    this.#sent += 1;
    const number = this.#sent;
    const own = new Promise<DatabaseSnapshot | undefined>((resolve, reject) => {
      const pending: Pending = { number, resolve };
      this.#pending.add(pending);
      const fail = (error: unknown): void => {
        this.#pending.delete(pending);
        reject(error);
      };
      this.#ask().then((text) => this.#answer(number, text), fail);
    }).finally(() => {
      if (this.#running === own) this.#running = undefined;
    });
    this.#running = own;
    return own;
  }

  /** Notifies those who wait for an earlier query, too: the snapshot is from after their call. */
  #answer(number: number, text: string | undefined): void {
    if (text !== undefined && text !== this.#text) {
      this.#snapshot += 1;
      this.#text = text;
    }
    for (const each of this.#pending) {
      if (each.number > number) continue;
      this.#pending.delete(each);
      each.resolve(text === undefined ? undefined : this.#snapshot);
    }
  }
}

/**
 * The snapshot as PostgreSQL reports it: which transactions are visible, and when the server was started, since another
 * server may use the same transaction ids. A standby does not report all the transactions that it has. The parameter is
 * always true: the driver does not prepare statements without parameters, and this one runs all the time.
 */
const QUERY = `
  select pg_current_snapshot()::text, pg_postmaster_start_time()::text, pg_is_in_recovery()::text, pg_backend_pid()::text
  where $1`;
const PARAMETERS = [true];

/**
 * Detects servers that speak PostgreSQL's protocol but distribute transactions over several machines or count them
 * differently.
 */
const KIND = `
  select version() ~ '^PostgreSQL [0-9.]+ ' and version() !~* 'greenplum|redshift|yugabyte'
    and not exists (select from pg_extension where extname in ('citus', 'orioledb'))`;

type Rows = (sql: string, parameters?: readonly boolean[]) => Promise<readonly (readonly unknown[])[]>;

/** Most processes of the server that are remembered. */
const PROCESSES = 200;

/**
 * The snapshots of a PostgreSQL server; `rows` runs a statement on it.
 *
 * After a crash of one of its processes, PostgreSQL recovers without a new start time, and gives the ids of transactions
 * again whose end it had not written to disk. All its processes are new then. A pooler keeps its clients' connections
 * meanwhile, so the first answer of a process that was not known forgets the known snapshots.
 *
 * @param isElsewhere whether something may be read from another server than the one that was started then: the address may
 *   have come to name another one, while connections lead to the one before last
 */
export const postgresSnapshots = (rows: Rows, isElsewhere: (start: unknown) => boolean = () => false): Snapshots => {
  let isPostgres: boolean | undefined;
  const processes = new Set<unknown>();
  const meet = (process: unknown): void => {
    if (processes.has(process)) return;
    if (processes.size >= PROCESSES) processes.clear();
    processes.add(process);
    snapshots.forget();
  };
  const snapshots = new TextSnapshots(async () => {
    isPostgres ??= (await rows(KIND))[0]?.[0] === true;
    if (!isPostgres) return undefined;
    const [snapshot, start, isStandby, process] = (await rows(QUERY, PARAMETERS))[0] ?? [];
    if (isStandby !== "false") return undefined;
    if (isElsewhere(start)) {
      // The other server may have been the one that reported its kind.
      isPostgres = undefined;
      return undefined;
    }
    meet(process);
    return `${String(snapshot)} ${String(start)}`;
  });
  return {
    current: () => snapshots.current(),
    forget() {
      // The server that replaces another may be of another kind.
      isPostgres = undefined;
      snapshots.forget();
    },
  };
};
