/** The PostgreSQL server for a comparison, with one filled database per number of documents. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../test/support/embedded-postgres.ts";
import { fill, INDEXES } from "./fill.ts";

const program = path.resolve(import.meta.dirname, "..", "..", "dist", "generator", "cli.js");

/** How to start the command and the server: a Node script and its arguments. */
export const cms = (root: string, ...args: readonly string[]): readonly string[] => [program, "--root", root, ...args];

export const environmentOf = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: url,
  JWT_SECRET: "for measurements only",
  API_TOKEN_SALT: "the same",
});

export interface GrowthServer {
  /** The main process. */
  readonly pid: number;
  /** Creates the database unless an earlier run kept it; returns its URL. */
  filled(root: string, notes: number, indexed: boolean): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a server without background work.
 *
 * @param kept a folder that keeps databases for the next run; without one, they are deleted with the server
 */
export const startServer = async (kept: string | undefined): Promise<GrowthServer> => {
  const database = await startEmbedded(
    [
      "jit=off",
      // CPU times of workers are lost when they exit.
      "max_parallel_workers_per_gather=0",
      "fsync=off",
      "autovacuum=off",
      "wal_level=minimal",
      "max_wal_senders=0",
      "max_wal_size=1GB",
      "shared_buffers=256MB",
    ],
    kept,
  );
  const admin = postgres(database.url, { max: 1, onnotice: () => {} });
  const make = async (name: string, url: string, root: string, notes: number, indexed: boolean): Promise<void> => {
    // Until it is full, the database has a temporary name, so that a half-filled one is not reused.
    const unfinished = `${name}_unfinished`;
    await admin.unsafe(`drop database if exists ${unfinished}`);
    await admin.unsafe(`create database ${unfinished}`);
    const env = environmentOf(url.replace(/\w+$/, unfinished));
    for (const args of [["migrate"], ["permissions", "apply", "permissions.json"]]) {
      execFileSync(process.execPath, cms(root, ...args), { env, stdio: ["ignore", "ignore", "inherit"] });
    }
    const client = postgres(url.replace(/\w+$/, unfinished), { max: 1, onnotice: () => {} });
    await fill(client, notes);
    if (indexed) for (const statement of INDEXES) await client.unsafe(statement);
    await client.end();
    await admin.unsafe(`alter database ${unfinished} rename to ${name}`);
  };
  return {
    pid: Number(readFileSync(path.join(database.data, "postmaster.pid"), "utf8").split("\n")[0]),
    async filled(root, notes, indexed) {
      const name = `notes_${notes}${indexed ? "_indexed" : ""}`;
      const url = database.url.replace(/\w+$/, name);
      const [found] = await admin`select 1 from pg_database where datname = ${name}`;
      if (found === undefined) await make(name, url, root, notes, indexed);
      return url;
    },
    async stop() {
      await admin.end();
      await database.stop();
    },
  };
};
