/** The `cms start` processes that the workload uses. Each keeps its port across restarts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import { createClient } from "./client.ts";

export const cms = path.resolve(import.meta.dirname, "../../dist/generator/cli.js");

export interface ServerProcess {
  readonly port: number;
  /** Starts the process and waits until it answers. */
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Asks it to stop, and waits until it has. Returns how many milliseconds that took, and how it ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly took: number; readonly code: number | null }>;
  readonly isRunning: boolean;
  /** When it was asked to stop, by the clock of `performance`; undefined if it was not. */
  readonly askedAt: number | undefined;
  /** How often it was killed. */
  readonly killed: number;
  /** Unexpected exits: exit code or signal, and the last output. */
  readonly crashes: string[];
}

/** Milliseconds to wait for a start, and for one that has hardly got any time of a processor on a busy machine. */
const START_PATIENCE = 60_000;
const STARVED_PATIENCE = 600_000;

/** Seconds of processor time that a start needs at most. */
const START_COST = 20;

/** The seconds of processor time that a process has used; Linux only. */
const processorTime = (pid: number | undefined): number => {
  try {
    const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").slice(11, 13).map(Number);
    return ((ticks?.[0] ?? 0) + (ticks?.[1] ?? 0)) / 100;
  } catch {
    return START_COST;
  }
};

export const createServerProcess = async (root: string, env: NodeJS.ProcessEnv): Promise<ServerProcess> => {
  const port = await freePort();
  const crashes: string[] = [];
  let child: ChildProcess | undefined;
  let askedAt: number | undefined;
  let printed = "";
  let killed = 0;

  const runs = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const note = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-4000);
  };
  const launch = (): void => {
    askedAt = undefined;
    printed = "";
    child = spawn(process.execPath, [cms, "--root", root, "start", "--port", String(port)], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout?.on("data", note);
    child.stderr?.on("data", note);
    child.once("exit", (code, signal) => {
      if (askedAt === undefined) crashes.push(`ended with ${code ?? signal}: ${printed.slice(-1000)}`);
    });
  };

  return {
    port,
    crashes,
    get isRunning() {
      return runs();
    },
    get askedAt() {
      return askedAt;
    },
    get killed() {
      return killed;
    },
    async start() {
      launch();
      const client = createClient("");
      const began = Date.now();
      for (;;) {
        const answer = await client.send(port, { method: "GET", path: "/_health" });
        if (answer.kind === "answered") break;
        const waited = Date.now() - began;
        const used = processorTime(child?.pid);
        if (!runs() || waited > (used < START_COST ? STARVED_PATIENCE : START_PATIENCE)) {
          throw new Error(`cms start gives no answer after ${waited} ms and ${used} s of a processor: ${printed}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      client.close();
    },
    kill(signal) {
      if (signal === "SIGKILL" || signal === "SIGTERM") askedAt ??= performance.now();
      if (runs()) child?.kill(signal);
    },
    async end(signal) {
      const began = Date.now();
      askedAt = performance.now();
      if (child && runs()) {
        if (signal === "SIGKILL") killed += 1;
        const ended = once(child, "exit");
        child.kill(signal);
        await ended;
      }
      return { took: Date.now() - began, code: child?.exitCode ?? null };
    },
  };
};
