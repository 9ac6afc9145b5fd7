/** Installs, builds and starts the examples in a project that has the packed package. */
import { spawn } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import { cmsBy, repository, run, serve } from "../../test/support/cms.ts";
import { freshPostgresUrl } from "../../test/support/database.ts";
import { freePort } from "../../test/support/free-port.ts";
import { copyExample, installPacked } from "../../test/support/packed.ts";
import { folderOfRun } from "../../test/support/run-folder.ts";

type Environment = Readonly<Record<string, string>>;

const PREVIEW = [
  ...["find", "findOne", "readDraft"].map((action) => `api::article.article.${action}`),
  "api::author.author.find",
  "api::global.global.find",
];

export interface Magazine {
  readonly root: string;
  /** Where the content server is. */
  readonly url: string;
  readonly user: { readonly username: string; readonly email: string; readonly password: string };
  /** What the sites are told of it. */
  readonly env: Environment;
  /** Runs a command of the package there; gives what it prints. */
  readonly cms: (...args: readonly string[]) => Promise<string>;
  /** Ends the server, and removes its database. */
  readonly stop: () => Promise<void>;
}

/**
 * The content server, filled, in a project of its own: `examples/` is beside it as in the repository.
 *
 * @param change changes schema files of the project before anything is generated from them
 */
export const magazine = async (change?: (root: string) => Promise<void>): Promise<Magazine> => {
  const root = await folderOfRun("magazine");
  const ends: (() => unknown)[] = [];
  await installPacked(root);
  await copyExample(root);
  await writeFile(path.join(root, ".env"), `DATABASE_URL=${await freshPostgresUrl((work) => ends.unshift(work))}\n`);
  await cp(path.join(repository, "examples"), path.join(root, "examples"), {
    recursive: true,
    filter: (file) => !/\/(?:node_modules|dist|\.next|\.astro)$/.test(file),
  });
  const program = path.join(root, "node_modules/galley-cms/dist/generator/cli.js");
  const cms = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cmsBy(program, root, args, {});
    if (code !== 0) throw new Error(`cms ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout.trim();
  };
  if (change) {
    await change(root);
    await cms("generate");
  }
  await cms("migrate");
  await cms("seed");
  await cms("permissions", "apply");
  const token = await cms("token", "create", "--name", "preview", "--type", "custom", "--permissions", PREVIEW.join());
  const { url } = await serve(root, {}, { program, atEnd: (work) => ends.unshift(work) });
  const user = { username: "ada", email: "ada@example.com", password: "Passw0rd!" };
  const { status } = await fetch(`${url}/api/auth/local/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(user),
  });
  if (status !== 200) throw new Error(`registering was answered with ${status}`);
  const stop = async (): Promise<void> => {
    for (const end of ends) await end();
  };
  return { root, url, user, cms, stop, env: { CMS_URL: url, CMS_TOKEN: token, PREVIEW_SECRET: "low water" } };
};

export interface Site {
  readonly url: string;
  /** From the start of the process to the first page, in milliseconds. */
  readonly firstAnswer: number;
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** Runs npm to its end; gives what it prints. */
export const npm = async (folder: string, env: Environment, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await run("npm", args, { cwd: folder, env });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};

/** Does `npm start` in a folder until a page answers; stopped at the end of the test. */
export const serveSite = async (folder: string, env: Environment, first: string): Promise<Site> => {
  const port = String(await freePort());
  const started = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, ...env, NODE_ENV: "production", HOST: "localhost", PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  });
  const url = `http://localhost:${port}`;
  while (!(await answers(url + first))) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { url, firstAnswer: performance.now() - started };
};

/** Does what the README says, with the site in `examples/NAME`; stopped at the end of the test. */
export const startSite = async ({ root, env }: Magazine, name: string): Promise<Site> => {
  const folder = path.join(root, "examples", name);
  await npm(folder, {}, "install", "--no-audit", "--no-fund");
  await npm(folder, env, "run", "build");
  return serveSite(folder, env, "/en");
};
