/**
 * Reads and writes a big table while every kind of migration runs on it, and prints the longest wait of each:
 * `npm run migration-locks -- [rows]`, a million without an argument. Brings its own PostgreSQL, or takes
 * `TEST_DATABASE_URL`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openProject } from "../generator/commands/generate/project.ts";
import { generate } from "../generator/commands/generate/run.ts";
import { migrationsFolder } from "../generator/migrate/migration.ts";
import type { Database } from "../runtime/database/database.ts";
import { migrate } from "../runtime/database/migrator.ts";
import { openPostgres } from "../runtime/database/postgres.ts";
import { startServer } from "../test/support/postgres-server.ts";

const text = { type: "string" };
const many = { type: "relation", relation: "oneToMany", target: "api::thing.thing" };
const one = { type: "relation", relation: "oneToOne", target: "api::thing.thing" };
const box = { type: "component", component: "shared.box" };

interface Stage {
  readonly name: string;
  readonly attributes: object;
  readonly box?: object;
  readonly allow?: readonly string[];
}

/** One after the other on the same table. */
const stages: readonly Stage[] = [
  { name: "add a text", attributes: { title: text, views: { type: "integer" }, subtitle: text } },
  {
    name: "rename it",
    attributes: { title: text, views: { type: "integer" }, tagline: { ...text, renamedFrom: "subtitle" } },
  },
  {
    name: "drop it",
    attributes: { title: text, views: { type: "integer" } },
    allow: ["drop:things.tagline"],
  },
  { name: "index it (unique)", attributes: { title: { ...text, unique: true }, views: { type: "integer" } } },
  { name: "widen a text", attributes: { title: { type: "text", unique: true }, views: { type: "integer" } } },
  { name: "retype a number", attributes: { title: { type: "text" }, views: { type: "biginteger" } } },
  { name: "add a relation", attributes: { title: { type: "text" }, views: { type: "biginteger" }, other: one } },
  { name: "make it to-many", attributes: { title: { type: "text" }, views: { type: "biginteger" }, other: many } },
  {
    name: "add a component",
    attributes: { title: { type: "text" }, views: { type: "biginteger" }, other: many, box },
  },
  {
    name: "rename its field",
    attributes: { title: { type: "text" }, views: { type: "biginteger" }, other: many, box },
    box: { b: { ...text, renamedFrom: "a" } },
  },
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Waits, in milliseconds, of statements that run in a loop until it is stopped. */
const keepBusy = (work: () => Promise<unknown>) => {
  let longest = 0;
  const stop = new AbortController();
  const loop = (async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      await work();
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  return async (): Promise<number> => {
    stop.abort();
    await loop;
    return longest;
  };
};

const writeSchema = (
  root: string,
  { attributes, box: fields = { a: text } }: Pick<Stage, "attributes" | "box">,
): void => {
  const info = { singularName: "thing", pluralName: "things", displayName: "Thing" };
  const options = { draftAndPublish: false };
  const files = {
    "thing/schema.json": { kind: "collectionType", collectionName: "things", info, options, attributes },
    "components/shared/box.json": { info: { displayName: "Box" }, attributes: fields },
  };
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(root, "content-types", file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, JSON.stringify(content));
  }
};

const fill = (database: Database, rows: number): Promise<void> =>
  database.script(`
    insert into documents select 'd' || lpad(n::text, 23, '0'), 'api::thing.thing' from generate_series(1, ${rows}) as n;
    insert into things (document_id, created_at, updated_at, published_at, title, views)
      select 'd' || lpad(n::text, 23, '0'), now(), now(), now(), 'title ' || n, n from generate_series(1, ${rows}) as n;
    analyze things;`);

const measure = async (database: Database, root: string, rows: number): Promise<void> => {
  const project = await openProject(root, undefined);
  const migrations = migrationsFolder(project.folder);
  writeSchema(root, { attributes: { title: text, views: { type: "integer" } } });
  await generate(project, {});
  await migrate(database, migrations);
  await fill(database, rows);
  say(`${rows} rows; the longest wait of a reader and of a writer in milliseconds`);
  for (const stage of stages) {
    writeSchema(root, stage);
    await generate(project, stage.allow ? { allow: stage.allow } : {});
    const anyRow = () => 1 + Math.floor(Math.random() * rows);
    const reading = keepBusy(() => database.rows("select title from things where id = $1", [anyRow()]));
    const writing = keepBusy(() => database.rows("update things set updated_at = now() where id = $1", [anyRow()]));
    const began = performance.now();
    const names = await migrate(database, migrations);
    const took = performance.now() - began;
    const [read, write] = [await reading(), await writing()];
    if (stage.name === "add a relation") await database.script("update things set other_document_id = document_id");
    const figures = [took, read, write].map((value) => String(Math.round(value)).padStart(7));
    say(
      `${stage.name.padEnd(20)} took ${figures[0]}  read ${figures[1]}  write ${figures[2]}${names.length === 0 ? "  (no migration)" : ""}`,
    );
  }
};

const rows = Number(process.argv[2] ?? 1_000_000);
const server = await startServer();
const root = mkdtempSync(path.join(tmpdir(), "galley-locks-"));
try {
  const database = await openPostgres(server.url, 8);
  await database.script("drop schema public cascade; create schema public");
  await measure(database, root, rows);
  await database.close();
} finally {
  rmSync(root, { recursive: true, force: true });
  await server.stop();
}
