/** An embedded database that is reached as commands reach that of a running server: by its socket. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger } from "../../runtime/base/log.ts";
import type { Database } from "../../runtime/database/database.ts";
import { connectToServer } from "../../runtime/database/ipc/client.ts";
import { type DatabaseServer, serveDatabase } from "../../runtime/database/ipc/server.ts";
import type { Cleanup } from "./database.ts";
import { borrowEngine } from "./engines.ts";

export const VERSION = "1.2.3";

export interface ServedDatabase {
  readonly root: string;
  readonly server: DatabaseServer;
  /** As a command has it. */
  connect(version?: string): Promise<Database | undefined>;
}

/** Serves a database from a folder of its own, whose path has `below` at its end. */
export const serveFromFolder = async (
  database: Database,
  cleanup: Cleanup,
  below = "project",
): Promise<ServedDatabase> => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-ipc-"));
  const root = path.join(folder, below);
  await mkdir(path.join(root, ".cms"), { recursive: true });
  const log = createLogger({ level: "silent" });
  const server = await serveDatabase(database, { root, version: VERSION, command: "cms start", log });
  cleanup(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    root,
    server,
    connect: (version = VERSION) => connectToServer(root, { command: "cms test", version }),
  };
};

/** A database in memory, as a command has that of a server. */
export const throughSocket = async (cleanup: Cleanup): Promise<Database> => {
  const database = await borrowEngine();
  const { connect } = await serveFromFolder(database, (work) =>
    cleanup(async () => {
      await work();
      await database.close();
    }),
  );
  const connected = await connect();
  if (connected === undefined) throw new Error("nobody answers");
  return connected;
};
