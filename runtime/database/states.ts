/**
 * States of the database: two questions that get the same state have nothing committed between them, by whomever. What
 * was read in a state is what would be read again for as long as the state is the same.
 */

/** A state of the database, by a number that only grows. */
export type State = number;

export interface States {
  /**
   * The state at some moment after the call; undefined where it cannot be told. Questions that come while one is on its
   * way are asked together.
   */
  now(): Promise<State | undefined>;
  /** What was known is forgotten: the server may be another one, which counts its transactions anew. */
  forget(): void;
}

/** Resolves when the event loop has taken in what has arrived. */
const taken = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** @param ask asks the server for a text that is the same as long as its state is; undefined where there is none */
export const createStates = (ask: () => Promise<string | undefined>): States => {
  let last: string | undefined;
  let state: State = 0;
  let running: Promise<State | undefined> | undefined;
  let next: Promise<State | undefined> | undefined;

  const question = async (): Promise<State | undefined> => {
    const text = await ask();
    if (text === undefined) return undefined;
    if (text !== last) state += 1;
    last = text;
    return state;
  };
  const begin = (): Promise<State | undefined> => {
    next = undefined;
    const own = question().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };

  return {
    // What is on its way may have been answered before this call: only the next question is after it. It waits until the
    // requests have been taken in that came at the same time, so that they share it.
    now: () => (next ??= (running ?? Promise.resolve()).then(taken, taken).then(begin)),
    forget() {
      last = undefined;
    },
  };
};

/**
 * The state by PostgreSQL's own account of which transactions are visible, with when the server was started: another one
 * may have other transactions under the same numbers. A standby does not tell all that it has of them.
 */
const QUESTION = "select pg_current_snapshot()::text, pg_postmaster_start_time()::text, pg_is_in_recovery() where $1";
/** The driver prepares no statement that has no parameter, and this one is asked all the time. */
const ALWAYS = [true];

/** Servers that are PostgreSQL to clients, and spread transactions over several machines or count them otherwise. */
const KIND = `
  select version() ~ '^PostgreSQL [0-9.]+ ' and version() !~* 'greenplum|redshift|yugabyte'
    and not exists (select from pg_extension where extname in ('citus', 'orioledb'))`;

type Rows = (sql: string, parameters?: readonly boolean[]) => Promise<readonly (readonly unknown[])[]>;

/** States of a PostgreSQL server; `rows` runs a statement on it. */
export const postgresStates = (rows: Rows): States => {
  let isOne: boolean | undefined;
  return createStates(async () => {
    isOne ??= (await rows(KIND))[0]?.[0] === true;
    if (!isOne) return undefined;
    const [answer] = await rows(QUESTION, ALWAYS);
    if (!answer || answer[2] !== false) return undefined;
    return `${String(answer[0])} ${String(answer[1])}`;
  });
};
