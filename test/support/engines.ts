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

/** An empty database that nobody else uses until it is closed. */
export const borrowEngine = async (): Promise<Database> => {
  const engine = idle ?? (await startEngine());
  if (engine === idle) idle = undefined;
  const database = overPglite(engine);
  const listening: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;

  const giveBack = async (): Promise<void> => {
    await database.exclusively(async () => {});
    for (const stop of listening) await stop();
    if (idle === undefined && (await empty(engine))) idle = engine;
    else await engine.close();
  };
  /** What is left over of a test must not reach the database of another. */
  const whileOpen =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (closing) throw new Error("PGlite is closed");
      return work(...given);
    };

  const { reader, snapshot } = database;
  return {
    kind: database.kind,
    ...(reader ? { reader: { rows: whileOpen(reader.rows) } } : {}),
    ...(snapshot ? { snapshot: whileOpen(snapshot) } : {}),
    rows: whileOpen(database.rows),
    script: whileOpen(database.script),
    transaction: (work) => whileOpen(() => database.transaction(work))(),
    exclusively: (work) => whileOpen(() => database.exclusively(work))(),
    listen: whileOpen(async (channel, receive) => {
      const stop = await database.listen(channel, receive);
      listening.push(stop);
      return stop;
    }),
    close: () => (closing ??= giveBack()),
  };
};
