/**
 * Databases for tests.
 *
 *     const database = await freshDatabase("pglite");       // closed after the last test of the file
 *     const own = await freshDatabase("postgres", onTestFinished); // inside a test: closed when that test ends
 *     test.each(bothDatabases)("… on %s", async (kind) => { … freshDatabase(kind, onTestFinished) … });
 *
 * Each is empty and nobody else's. "pglite" is in memory: it takes a second to start, so one that a test has done with is
 * emptied for the next. "postgres" is a new database on a server that starts with the first test that asks and serves
 * the whole run. `TEST_DATABASE_URL` names another server,
 * whose user may create databases. `freshPostgresUrl` gives the address alone, for tests of whole processes.
 */
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import type { Database } from "../../runtime/database/database.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { atEndOfFile } from "./end-of-file.ts";
import { borrowEngine } from "./engines.ts";
import { isThorough } from "./thorough.ts";

export type DatabaseKind = Database["kind"];
export const bothDatabases: readonly DatabaseKind[] = ["pglite", "postgres"];

/**
 * Gives out one database after the other: `test.each(inTurn())("… on %s", …)` runs on one of them, and the next such test of
 * the file on the other. It is for what generated statements do, which both run as the same PostgreSQL; what drivers and
 * transactions do runs on both. So does everything where tests are thorough.
 */
export const databasesInTurn = (): (() => readonly DatabaseKind[]) => {
  let turn = 0;
  return () => {
    if (isThorough) return bothDatabases;
    turn += 1;
    return bothDatabases.filter((_, index) => index === turn % bothDatabases.length);
  };
};

/** A machine that does other things besides lets statements wait: that is not what tests of other things are about. */
const PATIENT = { statementSeconds: 120, lockSeconds: 120 };

export type Cleanup = (work: () => Promise<void>) => void;

const serverUrl = async (): Promise<string> => {
  // A connection that was kept may be closed by the broker just now.
  const response = await fetch(inject("postgresBroker"), { headers: { connection: "close" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`no PostgreSQL server: ${text}`);
  return text;
};

const administer = async (url: string, sql: string): Promise<void> => {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  await client.unsafe(sql);
  await client.end();
};

/** A new database is small: our own server copies its files faster than it logs their pages. Others may be too old for that. */
const STRATEGY = process.env["TEST_DATABASE_URL"] === undefined ? " strategy file_copy" : "";

/** The address of a new, empty database, which is dropped at the end. */
export const freshPostgresUrl = async (cleanup: Cleanup = atEndOfFile): Promise<string> => {
  const server = await serverUrl();
  const name = `galley_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name}${STRATEGY}`);
  cleanup(() => administer(server, `drop database if exists ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** A new, empty database, which is closed at the end; `pool` is how many connections there are to a server. */
export const freshDatabase = async (
  kind: DatabaseKind,
  cleanup: Cleanup = atEndOfFile,
  pool = 4,
): Promise<Database> => {
  const url = kind === "postgres" ? await freshPostgresUrl(cleanup) : undefined;
  const database = url === undefined ? await borrowEngine() : await openPostgres(url, pool, PATIENT);
  cleanup(() => database.close());
  return database;
};

/** The same database, with every statement that goes through it written down. */
export const recording = (database: Database): { readonly database: Database; readonly statements: string[] } => {
  const statements: string[] = [];
  const over = <Of extends Pick<Database, "rows" | "script" | "transaction">>(session: Of): Of => ({
    ...session,
    rows(sql: string, parameters?: Parameters<Database["rows"]>[1]) {
      statements.push(sql);
      return session.rows(sql, parameters);
    },
    script(sql: string) {
      statements.push(sql);
      return session.script(sql);
    },
    transaction: <Result>(work: Parameters<typeof session.transaction<Result>>[0]) =>
      session.transaction((inside) => work(over(inside))),
  });
  const { reader } = database;
  const rows: NonNullable<typeof reader>["rows"] = (sql, ...others) => {
    statements.push(sql);
    return (reader ?? database).rows(sql, ...others);
  };
  return { database: { ...over(database), ...(reader ? { reader: { rows } } : {}) }, statements };
};
