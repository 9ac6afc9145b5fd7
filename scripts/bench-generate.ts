/**
 * Prints how long `cms generate` takes as a whole process: the first run, and one that changes nothing.
 * `npm run bench:generate [-- DIR]`; DIR holds schema files. Without it a project of 100 content types is made up.
 * Run `npm run build` first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(repository, "dist", "generator", "cli.js");
const root = path.join(repository, ".cms", "bench-generate");
const TYPES = 100;
const RUNS = 5;

const write = (file: string, content: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
};

const relation = (kind: string, number: number) => ({
  type: "relation",
  relation: kind,
  target: `api::item-${number % TYPES}.item-${number % TYPES}`,
});

const contentType = (number: number) => ({
  kind: "collectionType",
  collectionName: `items_${number}`,
  info: { singularName: `item-${number}`, pluralName: `items-${number}`, displayName: `Item ${number}` },
  options: { draftAndPublish: number % 2 === 0 },
  pluginOptions: { i18n: { localized: number % 3 === 0 } },
  attributes: {
    title: { type: "string", required: true, maxLength: 120 },
    slug: { type: "uid", targetField: "title" },
    body: { type: "blocks" },
    kind: { type: "enumeration", enum: ["news", "opinion", "review"], default: "news" },
    rating: { type: "integer", min: 0, max: 5 },
    price: { type: "decimal" },
    publishedOn: { type: "date" },
    cover: { type: "media", allowedTypes: ["images"] },
    gallery: { type: "media", multiple: true },
    previous: relation("manyToOne", number + 1),
    related: relation("manyToMany", number + 2),
    seo: { type: "component", component: "shared.seo" },
    sections: { type: "dynamiczone", components: ["shared.seo", "shared.quote"] },
  },
});

/** Makes up a project; returns the folder with its schema files. */
const makeProject = (): string => {
  const folder = path.join(root, "content-types");
  for (let number = 0; number < TYPES; number++) {
    write(path.join(folder, `item-${number}`, "schema.json"), contentType(number));
  }
  for (const name of ["seo", "quote"]) {
    write(path.join(folder, "components", "shared", `${name}.json`), {
      collectionName: `components_shared_${name}s`,
      info: { displayName: name },
      attributes: { text: { type: "text" }, image: { type: "media" } },
    });
  }
  return folder;
};

/** Milliseconds of one run, from start to exit. */
const time = (from: string): number => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, "--root", root, "generate", "--from", from], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
};

/** The best of several runs: what the machine can do when nothing else keeps it busy. */
const best = (measure: () => number): string => {
  const times = Array.from({ length: RUNS }, measure).toSorted((a, b) => a - b);
  return `${Math.round(times[0] ?? 0)} ms (worst ${Math.round(times.at(-1) ?? 0)} ms)`;
};

rmSync(root, { recursive: true, force: true });
const [given] = process.argv.slice(2);
const from = given === undefined ? makeProject() : path.resolve(given);
const first = best(() => {
  rmSync(path.join(root, "generated"), { recursive: true, force: true });
  return time(from);
});
time(from);
const again = best(() => time(from));
console.log(`${path.relative(repository, from)}: everything anew ${first}, nothing changed ${again}, best of ${RUNS}`);
rmSync(root, { recursive: true, force: true });
