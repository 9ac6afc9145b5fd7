/**
 * Embedded databases in memory, which the tests of one process take in turn: starting one takes a second, emptying one
 * a few milliseconds.
 */
import { PGlite } from "@electric-sql/pglite";
import type { Database } from "../../runtime/database/database.ts";
import { overPglite } from "../../runtime/database/embedded/pglite.ts";
import { readSnapshot } from "../../runtime/database/embedded/snapshot.ts";

/** At most one: each takes 250 MB, and a process that is large starts others slowly. */
let idle: PGlite | undefined;

const startEngine = async (): Promise<PGlite> => {
  const snapshot = await readSnapshot();
  return PGlite.create(snapshot ? { loadDataDir: snapshot } : {});
};

const EMPTYING = ["rollback", "discard all", "drop schema public cascade", "create schema public"];

/** Counts what is outside of the schema that is emptied, and would be there for the next test. */
const LEFT = `
  select (select count(*) from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema'))
    + (select count(*) from pg_roles where rolname !~ '^pg_' and rolname <> 'postgres')
    + (select count(*) from pg_db_role_setting) + (select count(*) from pg_largeobject_metadata)
    + (select count(*) from pg_event_trigger) + (select count(*) from pg_extension where extname <> 'plpgsql')
    + (select count(*) from pg_database where not datistemplate and datname <> 'postgres') as left`;

/** Whether the engine is now as if nobody had used it. */
const empty = async (engine: PGlite): Promise<boolean> => {
  try {
    for (const statement of EMPTYING) await engine.exec(statement);
    const { rows } = await engine.query<{ left: number }>(LEFT);
    return rows[0]?.left === 0;
  } catch {
    return false;
  }
};

interface Held {
  readonly engine: PGlite;
  readonly database: Database;
}

const takeEngine = async (): Promise<Held> => {
  const engine = idle ?? (await startEngine());
  if (engine === idle) idle = undefined;
  return { engine, database: overPglite(engine) };
};

/** An empty database that nobody else uses until it is closed. */
export const borrowEngine = async (): Promise<Database> => {
  /** Let go of when it is closed: modules of tests stay, with the databases in their variables. */
  let held: Held | undefined = await takeEngine();
  const listening: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;

  const giveBack = async ({ engine, database }: Held): Promise<void> => {
    await database.exclusively(async () => {});
    for (const stop of listening.splice(0)) await stop();
    held = undefined;
    if (idle === undefined && (await empty(engine))) idle = engine;
    else await engine.close();
  };
  /** What is left over of a test must not reach the database of another. */
  const whileOpen = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
    if (closing || !held) throw new Error("PGlite is closed");
    return work(held.database);
  };

  return {
    kind: "pglite",
    reader: {
      rows: (...statement) => whileOpen(({ reader, ...database }) => (reader ?? database).rows(...statement)),
    },
    snapshot: () => whileOpen(async (database) => database.snapshot?.()),
    rows: (...statement) => whileOpen((database) => database.rows(...statement)),
    script: (...sql) => whileOpen((database) => database.script(...sql)),
    transaction: (work) => whileOpen((database) => database.transaction(work)),
    exclusively: (work) => whileOpen((database) => database.exclusively(work)),
    listen: (channel, receive) =>
      whileOpen(async (database) => {
        const stop = await database.listen(channel, receive);
        listening.push(stop);
        return stop;
      }),
    close: () => (closing ??= held ? giveBack(held) : Promise.resolve()),
  };
};
