/** Serializes work across processes that would go wrong in parallel, such as a seed that creates what is missing. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Database } from "./database.ts";
import { awaitLock } from "./embedded/lock.ts";

export interface Turn {
  readonly database: Database;
  /** The folder of the project, in which the embedded database is. */
  readonly root: string;
  /** The work, as a command: `seed`. */
  readonly name: string;
  /** The key of the advisory lock on a server; any number that nobody else uses. */
  readonly key: string;
  /** Called when another process has its turn, before the next attempt; may throw to stop. */
  readonly taken: () => Promise<void>;
}

/** Milliseconds between keep-alives: PostgreSQL ends a transaction whose process has been silent for a minute. */
const SIGN = 20_000;

/**
 * A lock of a transaction that does nothing else: PostgreSQL releases it when the process ends, and a pooler keeps the
 * connection for as long as the transaction lasts.
 */
const onServer = async <Result>({ database, key, taken }: Turn, work: () => Promise<Result>): Promise<Result> => {
  let done: { readonly result: Result } | undefined;
  const wait = database.exclusively((session) =>
    session.transaction(async (transaction) => {
      const isFree = async (): Promise<boolean> =>
        (await transaction.rows(`select pg_try_advisory_xact_lock(${key})`))[0]?.[0] === true;
      while (!(await isFree())) await taken();
      const signs = setInterval(() => void transaction.rows("select 1").catch(() => {}), SIGN);
      try {
        done = { result: await work() };
      } finally {
        clearInterval(signs);
      }
    }),
  );
  // If this connection was lost meanwhile, none of the work is undone.
  await wait.catch((error: unknown) => {
    if (!done) throw error;
  });
  if (!done) throw new Error("Work that did not fail has a result");
  return done.result;
};

/** A lock file, since all commands beside a server share the embedded database's one session. */
const inFolder = async <Result>({ root, name, taken }: Turn, work: () => Promise<Result>): Promise<Result> => {
  const folder = path.join(root, ".cms");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await awaitLock(path.join(folder, `${name}.lock`), `cms ${name}`, taken);
  try {
    return await work();
  } finally {
    await lock.release();
  }
};

/** Does the work while no other process does work of that name on the database. */
export const oneAtATime = <Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> =>
  turn.database.kind === "pglite" ? inFolder(turn, work) : onServer(turn, work);
