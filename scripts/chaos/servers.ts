/** The `cms start` processes that the workload uses. Each keeps its port across restarts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

const START_PATIENCE = 60_000;

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
      const until = Date.now() + START_PATIENCE;
      for (;;) {
        const answer = await client.send(port, { method: "GET", path: "/_health" });
        if (answer.kind === "answered") break;
        if (!runs() || Date.now() > until) throw new Error(`cms start gives no answer: ${printed}`);
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
