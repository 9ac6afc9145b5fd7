/**
 * Takes whole projects of schema files through generate, a strict type check, migrate and start, asks every list
 * route and builds the GraphQL schema: `npm run sweep -- DIR...`, each a folder with schema files in Strapi's layout or ours. One line per project.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePort } from "../test/support/free-port.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(repository, "dist/generator/cli.js");
const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");

/** Generated code is checked as strictly as ours, against the runtime's source. */
const tsconfig = JSON.stringify({
  extends: path.join(repository, "tsconfig.json"),
  compilerOptions: { declaration: false, noUnusedLocals: true },
  include: ["generated"],
  exclude: [],
});

const environment = {
  ...process.env,
  CI: "1",
  JWT_SECRET: "a secret of the sweep only, long enough",
  API_TOKEN_SALT: "a salt of the sweep only, long enough",
};

const modelSchema = z.object({
  contentTypes: z.array(
    z.object({ uid: z.string(), kind: z.string(), pluralName: z.string(), attributes: z.array(z.unknown()) }),
  ),
  components: z.array(z.object({ attributes: z.array(z.unknown()) })),
});
const outcomeSchema = z.object({ diagnostics: z.array(z.object({ severity: z.string() })) });

/** A step failed; the message is what it printed. */
class StepError extends Error {}

interface Running {
  readonly child: ChildProcess;
  readonly printed: { stdout: string; stderr: string };
}

const start = (args: readonly string[], root: string): Running => {
  const child = spawn(process.execPath, args, { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  return { child, printed };
};

const run = async (args: readonly string[], root: string): Promise<string> => {
  const { child, printed } = start(args, root);
  const [code] = await once(child, "close");
  if (code !== 0) throw new StepError(`${printed.stdout}${printed.stderr}`.trim());
  return printed.stdout;
};

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).status === 204;
  } catch {
    return false;
  }
};

/** Serves the project while `work` runs. */
const serving = async <Result>(root: string, work: (base: string) => Promise<Result>): Promise<Result> => {
  const port = await freePort();
  const { child, printed } = start([program, "start", "--port", String(port)], root);
  try {
    while (!(await answers(`http://127.0.0.1:${port}/_health`))) {
      if (child.exitCode !== null) throw new StepError(printed.stdout + printed.stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
};

const emptyList = z.object({ data: z.array(z.unknown()).length(0) });

/** Asks every list route as a full-access token; throws at the first that does not answer with an empty list. */
const askLists = async (base: string, token: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const response = await fetch(`${base}/api/${name}`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== 200 || !emptyList.safeParse(JSON.parse(text)).success) {
      throw new StepError(`GET /api/${name}: ${response.status} ${text}`);
    }
  }
};

/** The first query builds the GraphQL schema. */
const askGraphql = async (base: string): Promise<void> => {
  const response = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: "{ __typename }" }),
  });
  if (response.status !== 200) throw new StepError(`POST /graphql: ${response.status} ${await response.text()}`);
};

interface Timing {
  readonly step: string;
  readonly milliseconds: number;
}

const sweep = async (source: string, root: string): Promise<string> => {
  const timings: Timing[] = [];
  const timed = async <Result>(step: string, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      if (error instanceof StepError) throw new StepError(`${step}: ${error.message}`);
      throw error;
    } finally {
      timings.push({ step, milliseconds: Math.round(performance.now() - began) });
    }
  };

  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  await writeFile(path.join(root, "tsconfig.json"), tsconfig);
  const from = ["--from", source];
  const outcome = outcomeSchema.parse(
    JSON.parse(await timed("generate", () => run([program, "generate", ...from, "--json"], root))),
  );
  const model = modelSchema.parse(JSON.parse(await run([program, "generate", ...from, "--print-model"], root)));
  await timed("unchanged", () => run([program, "generate", ...from], root));
  await timed("types", () => run([compiler, "-p", "."], root));
  await timed("migrate", () => run([program, "migrate"], root));
  // The database is what the snapshot says, and the snapshot what the schema files say.
  await timed("status", () => run([program, "migrate", "status"], root));
  await run([program, "generate", ...from, "--check"], root);
  const tokenArguments = ["token", "create", "--name", "sweep", "--type", "full-access"];
  const token = (await run([program, ...tokenArguments], root)).trim();
  const own = model.contentTypes.filter(({ uid }) => uid.startsWith("api::"));
  const lists = own.filter(({ kind }) => kind === "collectionType").map(({ pluralName }) => pluralName);
  const began = performance.now();
  await serving(root, async (base) => {
    timings.push({ step: "start", milliseconds: Math.round(performance.now() - began) });
    await timed("graphql", () => askGraphql(base));
    await timed("lists", () => askLists(base, token, lists));
  });

  const attributes = [...model.contentTypes, ...model.components].reduce(
    (sum, each) => sum + each.attributes.length,
    0,
  );
  const warnings = outcome.diagnostics.filter(({ severity }) => severity === "warning").length;
  return [
    `${own.length} types, ${model.components.length} components, ${attributes} attributes, ${warnings} warnings, ${lists.length} lists`,
    ...timings.map(({ step, milliseconds }) => `${step} ${milliseconds}`),
  ].join(" | ");
};

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: npm run sweep -- DIR...   (folders with schema files)");
  process.exitCode = 2;
}
for (const [index, folder] of folders.entries()) {
  try {
    const line = await sweep(path.resolve(folder), path.join(repository, ".cms", "sweep", String(index)));
    console.log(`ok   ${folder} | ${line}`);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.exitCode = 1;
    console.log(`FAIL ${folder} | ${error.message}`);
  }
}
