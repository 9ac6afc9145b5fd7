/**
 * Commands of `cms` in a process that stays: most of the time that a command takes, it loads what it is made of. Tests of
 * the process itself (what it loads, signals, several at a time) start one each.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { nodeOptions } from "./node-options.ts";

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandToRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** They go on until they are told to end, or leave a bundler running. Tests call `cms start` where it does not start. */
const APART: ReadonlySet<string> = new Set(["dev", "build", "--watch", "--workers"]);

interface Resident {
  /** The program that it runs. */
  readonly cli: string;
  readonly child: ChildProcess;
  readonly streams: readonly [Readable, Readable];
}

const start = (cli: string): Resident => {
  const file = path.join(import.meta.dirname, "resident-cms.mjs");
  const child = spawn(process.execPath, [file, pathToFileURL(cli).href], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_OPTIONS: nodeOptions() },
  });
  if (!child.stdout || !child.stderr) throw new Error("a process with pipes has streams");
  // It ends with this process, and keeps it from nothing.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    if (stream instanceof Socket) stream.unref();
  }
  return { cli, child, streams: [child.stdout, child.stderr] };
};

/** What a stream says until `end`, or until it is over. */
const textUntil = (end: string, stream: Readable): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    const finish = (): void => {
      stream.off("data", take).off("close", finish);
      resolve(text.replace(end, ""));
    };
    const take = (part: string): void => {
      text += part;
      if (text.endsWith(end)) finish();
    };
    stream.on("data", take).on("close", finish);
  });

/** The exit code that the process tells, or the one that it ended with. */
const codeOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    const finish = (code: number | null): void => {
      child.off("message", finish).off("close", finish);
      resolve(code);
    };
    child.on("message", finish).on("close", finish);
  });

let resident: Resident | undefined;
let isBusy = false;

/** The one that runs `cli`; that of another program ends. */
const residentOf = (cli: string): Resident => {
  const isThere = resident && resident.child.exitCode === null && resident.child.signalCode === null;
  if (resident && isThere && resident.cli === cli) return resident;
  if (isThere) resident?.child.disconnect();
  return (resident = start(cli));
};

const runIn = async ({ child, streams }: Resident, command: CommandToRun): Promise<Run> => {
  const end = randomUUID();
  const outcome = Promise.all([codeOf(child), ...streams.map((stream) => textUntil(end, stream))] as const);
  child.send({ ...command, end });
  const [code, stdout = "", stderr = ""] = await outcome;
  return { code, stdout, stderr };
};

/** Runs a command of the program `cli`; undefined where that takes a process of its own. */
export const runResident = async (cli: string, command: CommandToRun): Promise<Run | undefined> => {
  const isApart = command.args.some((arg) => APART.has(arg));
  if (isBusy || isApart || command.environment["NODE_OPTIONS"] !== nodeOptions()) return undefined;
  isBusy = true;
  try {
    return await runIn(residentOf(cli), command);
  } finally {
    isBusy = false;
  }
};
