/** Runs the built `cms` program, as a user would. `npm run build` makes it. Needs no running test. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nodeOptions } from "./node-options.ts";
import { type Run, runResident } from "./resident-cms.ts";

export type { Run } from "./resident-cms.ts";

/** The root of the repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));
/** The `cms` that was built here. */
export const program = path.join(repository, "dist", "generator", "cli.js");

export type Environment = Readonly<Record<string, string>>;

/** The environment of a command: ours, without what would change its configuration. */
const environment = (extra: Environment): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _url, PORT: _port, HOST: _host, NODE_ENV: _mode, ...rest } = process.env;
  return { ...rest, CI: "1", NO_COLOR: "1", ...extra, NODE_OPTIONS: nodeOptions(extra["NODE_OPTIONS"]) };
};

const collect = (child: ChildProcess) => {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return output;
};

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });

/** Runs a program to its end. */
export const run = async (
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Environment },
): Promise<Run> => {
  const child = spawn(file, args, { cwd, env: environment(env), stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child);
  return { code: await ended(child), ...output };
};

/** Runs `cms` in `root` to its end, in a process of its own. */
export const cmsProcess = (root: string, args: readonly string[], env: Environment = {}): Promise<Run> =>
  run(process.execPath, [program, ...args], { cwd: root, env });

/** Runs `cms` in `root`: in a process that has run other commands, where that is all the same. */
export const cms = (root: string, args: readonly string[], env: Environment = {}): Promise<Run> =>
  cmsBy(program, root, args, env);

/** The same by another program than the one that was built here. */
export const cmsBy = async (cli: string, root: string, args: readonly string[], env: Environment): Promise<Run> =>
  (await runResident(cli, { args, cwd: root, environment: environment(env) })) ??
  run(process.execPath, [cli, ...args], { cwd: root, env });

export interface Started {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Run>;
}

/** Starts `cms` in `root`, for a test that does something while it runs. */
export const startCms = (root: string, args: readonly string[], env: Environment = {}): Started => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child);
  return { child, output, ended: ended(child).then((code) => ({ code, ...output })) };
};

/** Runs `cms` in `root` and returns what it prints; fails when it does. */
export const cmsOutput = async (root: string, args: readonly string[], env: Environment = {}): Promise<string> => {
  const { code, stdout, stderr } = await cms(root, args, env);
  if (code !== 0) throw new Error(`cms ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout.trim();
};

export interface Server {
  readonly url: string;
  /** What it has printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Asks it to stop, as a process manager would, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Milliseconds after which a server that has taken a connection is asked once more. */
const PATIENCE = 5000;

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/_health`, { signal: AbortSignal.timeout(PATIENCE) })).status === 204;
  } catch {
    return false;
  }
};

/** Does the work when what is shared is over. */
export type AtEnd = (work: () => unknown) => void;

/** Starts any command that serves on the port of the variable PORT, and waits until it answers. */
export const serveBy = async (
  file: string,
  args: readonly string[],
  cwd: string,
  port: number,
  env: Environment,
  atEnd: AtEnd,
): Promise<Server> => {
  const child = spawn(file, args, {
    cwd,
    env: environment({ ...env, PORT: String(port) }),
    stdio: ["ignore", "pipe", "pipe"],
    // Programs such as npm start others: the whole group is stopped.
    detached: true,
  });
  const output = collect(child);
  const end = ended(child);
  const stop = async (): Promise<number | null> => {
    const runs = child.exitCode === null && child.signalCode === null;
    if (runs && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    return end;
  };
  atEnd(stop);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `${[file, ...args].join(" ")} ended with ${child.exitCode ?? child.signalCode}:\n${output.stdout}${output.stderr}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, output, stop };
};

if (!existsSync(program)) throw new Error(`${program} is missing: run "npm run build" first`);
