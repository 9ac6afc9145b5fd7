/**
 * Takes whole projects of schema files through generate, strict type checks by three compilers, migrate and start, and
 * requests every list over REST and GraphQL: `npm run sweep -- DIR...`. Each DIR is a folder of schema files, or
 * contains Strapi projects at any depth. Prints a table with one line per project, in seconds.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePort } from "../test/support/free-port.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(repository, "dist/generator/cli.js");
const folder = path.join(repository, ".cms", "sweep");

const compilerFolder = path.join(repository, ".cms", "typescript-5.9");
/** TypeScript 5.9 is installed only for the sweep. */
const compilers = [
  { name: "TS 5.9", file: path.join(compilerFolder, "node_modules/typescript/bin/tsc"), options: [] },
  { name: "TS 6", file: path.join(repository, "node_modules/typescript/bin/tsc6"), options: [] },
  { name: "TS 7", file: path.join(repository, "node_modules/typescript-7/bin/tsc"), options: ["--checkers", "2"] },
];

/** Checks generated code as strictly as ours, against the declarations of the built package. */
const tsconfig = JSON.stringify({
  extends: path.join(repository, "tsconfig.json"),
  compilerOptions: { declaration: false, paths: {} },
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
    z.object({
      uid: z.string(),
      kind: z.string(),
      pluralName: z.string(),
      names: z.object({ graphqlMany: z.string() }),
      attributes: z.array(z.unknown()),
    }),
  ),
  components: z.array(z.object({ attributes: z.array(z.unknown()) })),
});
const outcomeSchema = z.object({ diagnostics: z.array(z.object({ severity: z.string() })) });

/** A step failed; the message is its output. */
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

/** Requests every list route with a full-access token; throws at the first that does not return an empty list. */
const askLists = async (base: string, token: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const response = await fetch(`${base}/api/${name}`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== 200 || !emptyList.safeParse(JSON.parse(text)).success) {
      throw new StepError(`GET /api/${name}: ${response.status} ${text}`);
    }
  }
};

const graphqlLists = z.object({ data: z.record(z.string(), z.object({ data: z.array(z.unknown()).length(0) })) });

/** Requests all lists in one query; the first query builds the GraphQL schema. */
const askGraphql = async (base: string, token: string, names: readonly string[]): Promise<void> => {
  const lists = names.map((name) => `${name} { data { id } }`).join(" ");
  const response = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `{ __typename ${lists} }` }),
  });
  const text = await response.text();
  const { __typename: _, ...data } = z.object({ data: z.looseObject({}) }).parse(JSON.parse(text)).data;
  if (response.status !== 200 || !graphqlLists.safeParse({ data }).success) {
    throw new StepError(`POST /graphql: ${response.status} ${text}`);
  }
};

type Model = z.infer<typeof modelSchema>;
/** Runs one step of a sweep, and records its duration. */
type Timed = <Result>(step: string, work: () => Promise<Result>) => Promise<Result>;

interface Row {
  readonly project: string;
  /** What the project holds. */
  readonly content: string;
  /** Seconds of each step so far. */
  readonly steps: Map<string, string>;
  fault?: string;
}

const ownTypes = ({ contentTypes }: Model): Model["contentTypes"] =>
  contentTypes.filter(({ uid }) => uid.startsWith("api::"));

const contentOf = (model: Model, warnings: number): string => {
  const attributes = [...model.contentTypes, ...model.components].flatMap((each) => each.attributes).length;
  return `${ownTypes(model).length} types, ${model.components.length} components, ${attributes} attributes, ${warnings} warnings`;
};

/** Checks that three compilers accept the generated code, and that generating again does not change it. */
const generate = async (source: string, root: string, timed: Timed): Promise<{ model: Model; content: string }> => {
  const from = ["--from", source];
  const outcome = outcomeSchema.parse(
    JSON.parse(await timed("generate", () => run([program, "generate", ...from, "--json"], root))),
  );
  const model = modelSchema.parse(JSON.parse(await run([program, "generate", ...from, "--print-model"], root)));
  for (const { name, file, options } of compilers) {
    await timed(name, () => run([file, "-p", ".", ...options], root));
  }
  await run([program, "generate", ...from, "--check"], root);
  const warnings = outcome.diagnostics.filter(({ severity }) => severity === "warning").length;
  return { model, content: contentOf(model, warnings) };
};

/** Checks that the database matches the snapshot, and that the server answers from it. */
const serve = async (model: Model, root: string, timed: Timed): Promise<void> => {
  await timed("migrate", () => run([program, "migrate"], root));
  await run([program, "migrate", "status"], root);
  const token = (await run([program, "token", "create", "--name", "sweep", "--type", "full-access"], root)).trim();
  const lists = ownTypes(model).filter(({ kind }) => kind === "collectionType");
  await timed("start", () => serving(root, async () => {}));
  await serving(root, async (base) => {
    await timed("REST", () =>
      askLists(
        base,
        token,
        lists.map(({ pluralName }) => pluralName),
      ),
    );
    await timed("GraphQL", () =>
      askGraphql(
        base,
        token,
        lists.map(({ names }) => names.graphqlMany),
      ),
    );
  });
};

const sweep = async (project: string, source: string, root: string): Promise<Row> => {
  const steps = new Map<string, string>();
  const timed: Timed = async (step, work) => {
    const began = performance.now();
    const result = await work().catch((error: unknown) => {
      throw error instanceof StepError ? new StepError(`${step}: ${error.message}`) : error;
    });
    steps.set(step, ((performance.now() - began) / 1000).toFixed(1));
    return result;
  };
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  await writeFile(path.join(root, "tsconfig.json"), tsconfig);
  let content = "";
  try {
    const generated = await generate(source, root, timed);
    content = generated.content;
    await serve(generated.model, root, timed);
    return { project, content, steps };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { project, content, steps, fault: error.message };
  }
};

/** The folders of schema files in and below a folder: the `src` of Strapi projects, or else the folder itself. */
const sourcesIn = async (given: string): Promise<readonly string[]> => {
  const found = await readdir(given, { recursive: true, withFileTypes: true });
  const projects = found
    .filter((entry) => entry.isDirectory() && entry.name === "api" && path.basename(entry.parentPath) === "src")
    .map(({ parentPath }) => parentPath);
  return projects.length > 0 ? projects.sort() : [given];
};

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const COLUMNS = ["generate", ...compilers.map(({ name }) => name), "migrate", "start", "REST", "GraphQL"];

/** How many lines of a failed step's output to print. */
const FAULT_LINES = 12;

const printRow = ({ project, content, steps, fault }: Row): void => {
  console.log(line([project, content, ...COLUMNS.map((column) => steps.get(column) ?? "-")]));
  if (fault !== undefined) {
    process.exitCode = 1;
    console.log(`FAILED ${project}: ${fault.split("\n").slice(0, FAULT_LINES).join("\n")}`);
  }
};

const installCompiler = async (): Promise<void> => {
  await mkdir(compilerFolder, { recursive: true });
  await writeFile(path.join(compilerFolder, "package.json"), '{"private":true}');
  await once(spawn("npm", ["install", "typescript@5.9.3"], { cwd: compilerFolder, stdio: "ignore" }), "close");
  if (!existsSync(path.join(compilerFolder, "node_modules"))) throw new Error("TypeScript 5.9 could not be installed");
};

const given = process.argv.slice(2).map((argument) => path.resolve(argument));
if (given.length === 0) {
  console.error("usage: npm run sweep -- DIR...   (folders with schema files, or with projects)");
  process.exit(2);
}
await installCompiler();
console.log(line(["project", "content", ...COLUMNS]));
console.log(line(Array.from({ length: COLUMNS.length + 2 }, () => "---")));
for (const folderOfMany of given) {
  for (const source of await sourcesIn(folderOfMany)) {
    const project = path.relative(path.dirname(folderOfMany), source);
    printRow(await sweep(project, source, path.join(folder, project.replaceAll(path.sep, "__"))));
  }
}
