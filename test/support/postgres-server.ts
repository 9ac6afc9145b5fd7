/** One PostgreSQL server for a whole test run: started when the first test asks for it, stopped at the end. */
import { existsSync, statfsSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "./embedded-postgres.ts";
import { listenOnFreePort } from "./listen.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the server, as text. */
    postgresBroker: string;
  }
}

const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=400",
  // Databases live for seconds, some hundreds of them: nothing of theirs is worth tidying, nor much of the log.
  "autovacuum=off",
  "checkpoint_timeout=1d",
  "max_wal_size=64MB",
  "min_wal_size=32MB",
];

const MEMORY = "/dev/shm";
const ENOUGH = 2 * 1024 ** 3;

/** Files in memory, where there are such: to create and drop a database on a disk takes five times as much. */
const fastestFolder = (): string => {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < ENOUGH ? tmpdir() : MEMORY;
};

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

export const startServer = async (parent?: string): Promise<Server> => {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) return { url: given, stop: async () => {} };
  return startEmbedded(settings, undefined, undefined, parent);
};

/** Called by vitest before the first test file; returns what to do after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The package of the server ends the process with 0, whatever the tests came to: ours comes first.
  process.prependListener("beforeExit", () => process.exit(process.exitCode));
  let server: Promise<Server> | undefined;
  const broker = createServer((_request, response) => {
    server ??= startServer(fastestFolder());
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("postgresBroker", await listenOnFreePort(broker));
  return async () => {
    broker.close();
    await (await server)?.stop();
  };
}
