/**
 * States of the database. If two calls return the same state, nothing was committed in between, by any process; so what
 * was read in a state can be reused for as long as the state is the same.
 */

/** Identifies a state of the database; the number only grows. */
export type State = number;

export interface States {
  /**
   * The state at some moment after the call; undefined where it cannot be determined. Calls made while a query is under
   * way share the next query.
   */
  now(): Promise<State | undefined>;
  /** Forgets the known states: after a reconnect the server may be another one, which counts its transactions anew. */
  forget(): void;
}

/** Resolves when the event loop has read everything that has arrived. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Two turns: clients that were answered together send their next requests together, but not all of them in time for the
 * first. Where nothing arrives, a turn takes a few microseconds.
 */
const taken = async (): Promise<void> => {
  await turn();
  await turn();
};

/**
 * Milliseconds after which a question does not hold up the next one: its connection may be dead, or a slow statement
 * may stand before it.
 */
const PATIENCE = 200;

/** Resolves when `work` has ended, however it ended, or has taken too long. */
const endOrPatience = async (work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([ended, patience]);
  clearTimeout(timer);
};

/** A question that was asked and has no answer yet. */
interface Open {
  readonly number: number;
  resolve(state: State | undefined): void;
}

/** @param ask asks the server for a text that changes with its state; undefined where there is none */
export const createStates = (ask: () => Promise<string | undefined>): States => {
  let last: string | undefined;
  let state: State = 0;
  let asked = 0;
  let running: Promise<State | undefined> | undefined;
  let next: Promise<State | undefined> | undefined;
  const open = new Set<Open>();

  const question = async (): Promise<State | undefined> => {
    const text = await ask();
    if (text === undefined) return undefined;
    if (text !== last) state += 1;
    last = text;
    return state;
  };
  /** Those who wait for an earlier question are told as well: the state is from after their call. */
  const answer = (number: number, found: State | undefined): void => {
    for (const each of open) {
      if (each.number > number) continue;
      open.delete(each);
      each.resolve(found);
    }
  };
  const begin = (): Promise<State | undefined> => {
    next = undefined;
    asked += 1;
    const number = asked;
    const own = new Promise<State | undefined>((resolve, reject) => {
      const one: Open = { number, resolve };
      open.add(one);
      question().then(
        (found) => answer(number, found),
        (error: unknown) => {
          open.delete(one);
          reject(error);
        },
      );
    }).finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };

  return {
    // The query under way may have been answered before this call, so only the next one counts. It waits until the
    // requests that arrived at the same time have been read, so that they share it.
    now: () => (next ??= (running ? endOrPatience(running) : Promise.resolve()).then(taken).then(begin)),
    forget() {
      last = undefined;
    },
  };
};

/**
 * The state as PostgreSQL reports it: which transactions are visible, and when the server was started, since another
 * server may use the same transaction ids. A standby does not report all the transactions that it has.
 */
export const QUESTION =
  "select pg_current_snapshot()::text, pg_postmaster_start_time()::text, pg_is_in_recovery()::text, pg_backend_pid()::text";
/**
 * The same with a parameter that is always true. The driver does not prepare statements without parameters, and this one
 * runs all the time.
 */
const ASKED = `${QUESTION} where $1`;
const ALWAYS = [true];

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

interface Means {
  /** Asks {@link QUESTION} at less cost, if that is possible now. */
  readonly ask?: (() => Promise<readonly unknown[]> | undefined) | undefined;
  /**
   * Whether something may be read from another server than the one that was started then. The address may have come to
   * name another one, while connections to the one before last.
   */
  readonly isElsewhere?: (start: unknown) => boolean;
}

/**
 * The states of a PostgreSQL server; `rows` runs a statement on it.
 *
 * After a crash of one of its processes, PostgreSQL recovers without a new start time, and gives the ids of transactions
 * again whose end it had not written to disk. All its processes are new then. A pooler keeps its clients' connections
 * meanwhile, so the first answer of a process that was not known forgets the known states.
 */
export const postgresStates = (rows: Rows, { ask, isElsewhere }: Means = {}): States => {
  let isOne: boolean | undefined;
  const processes = new Set<unknown>();
  const meet = (process: unknown): void => {
    if (processes.has(process)) return;
    if (processes.size >= PROCESSES) processes.clear();
    processes.add(process);
    states.forget();
  };
  const states = createStates(async () => {
    isOne ??= (await rows(KIND))[0]?.[0] === true;
    if (!isOne) return undefined;
    const answer = await (ask?.() ?? rows(ASKED, ALWAYS).then(([row]) => row));
    if (!answer || answer[2] !== "false") return undefined;
    if (isElsewhere?.(answer[1]) === true) {
      // It may have been the other server that said of which kind it is.
      isOne = undefined;
      return undefined;
    }
    meet(answer[3]);
    return `${String(answer[0])} ${String(answer[1])}`;
  });
  return {
    ...states,
    forget() {
      // The server that takes the place of another may be one of another kind.
      isOne = undefined;
      states.forget();
    },
  };
};
