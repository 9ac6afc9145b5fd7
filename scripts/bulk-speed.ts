/**
 * Prints the cost per document of `createMany`, `updateMany` and `deleteMany`, in microseconds of CPU of Node and of
 * PostgreSQL, for a plain type of eight scalars and for one with drafts. Medians of several rounds. `npm run bulk-speed
 * -- [--documents 10000] [--rounds 5] [--profile FOLDER]`. Linux only, as it reads /proc. Run `npm run build` first.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "../test/support/embedded-postgres.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    profile: { type: "string" },
  },
});

const repository = path.resolve(import.meta.dirname, "..");
const program = path.join(repository, "dist", "generator", "cli.js");
const root = mkdtempSync(path.join(tmpdir(), "galley-bulk-speed-"));
const postgres = await startEmbedded(["jit=off", "autovacuum=off"]);
const database = Number(readFileSync(path.join(postgres.data, "postmaster.pid"), "utf8").split("\n")[0]);

const attributes = {
  name: { type: "string", required: true, maxLength: 100 },
  code: { type: "string", regex: "^[a-z0-9-]+$" },
  note: { type: "text" },
  count: { type: "integer", min: 0 },
  price: { type: "decimal" },
  active: { type: "boolean", default: true },
  day: { type: "date" },
  kind: { type: "enumeration", enum: ["one", "two", "three"] },
};

const schemaOf = (name: string, draftAndPublish: boolean): object => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
});

const app = `
import { defineApp } from "galley-cms";
import { cpuOf } from ${JSON.stringify(path.join(import.meta.dirname, "bench", "cpu.ts"))};

const kinds = ["one", "two", "three"] as const;
const body = (number: number) => ({
  name: "Item " + number,
  code: "item-" + number,
  note: "Some words about it. ".repeat(5),
  count: number,
  price: number / 4,
  active: number % 2 === 0,
  day: "2025-01-" + String(1 + (number % 28)).padStart(2, "0"),
  kind: kinds[number % 3],
});
const median = (numbers: number[]): string => numbers.sort((one, two) => one - two)[numbers.length >> 1].toFixed(1);

const run = async ({ documents }) => {
  const spent = new Map<string, { node: number[]; postgres: number[] }>();
  const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const [node, server] = [cpuOf(process.pid), cpuOf(${database})];
    await work();
    const known = spent.get(what) ?? { node: [], postgres: [] };
    spent.set(what, known);
    known.node.push((cpuOf(process.pid) - node) / ${values.documents});
    known.postgres.push((cpuOf(${database}) - server) / ${values.documents});
  };
  const [items, pages] = [documents("api::item.item"), documents("api::page.page")];
  for (let round = 0; round < ${values.rounds}; round += 1) {
    const data = Array.from({ length: ${values.documents} }, (_each, number) => body(number));
    await measure("createMany, plain", () => items.createMany({ data }));
    await measure("createMany, drafts", () => pages.createMany({ data, status: "draft" }));
    await measure("deleteMany, drafts", () => pages.deleteMany({ filters: {}, status: "draft" }));
    await measure("createMany, drafts and published", () => pages.createMany({ data }));
    await measure("updateMany, plain", () => items.updateMany({ filters: {}, data: { note: "Changed " + round } }));
    await measure("updateMany, drafts and published", () =>
      pages.updateMany({ filters: {}, data: { note: "Changed " + round } }),
    );
    await measure("deleteMany, plain", () => items.deleteMany({ filters: {} }));
    await pages.deleteMany({ filters: {} });
  }
  console.log("| per document | Node | PostgreSQL |");
  console.log("| --- | --- | --- |");
  for (const [what, { node, postgres }] of spent) console.log("| " + what + " | " + median(node) + " | " + median(postgres) + " |");
};

export default defineApp({ tasks: { measure: { schedule: "0 0 1 1 *", run: ({ services }) => run(services) } } });
`;

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

const cms = (...args: string[]): void => {
  const profiling = values.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", path.resolve(values.profile)];
  execFileSync(process.execPath, [...profiling, program, "--root", root, ...args], {
    env: { ...process.env, DATABASE_URL: postgres.url },
    stdio: ["ignore", args[0] === "tasks" ? "inherit" : "ignore", "inherit"],
  });
};

try {
  write("content-types/item/schema.json", JSON.stringify(schemaOf("item", false)));
  write("content-types/page/schema.json", JSON.stringify(schemaOf("page", true)));
  write("content-types/app.ts", app);
  cms("generate");
  cms("migrate");
  cms("tasks", "run", "measure");
} finally {
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
}
