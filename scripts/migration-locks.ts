/**
 * Reads and writes a big table while every kind of migration runs on it, and prints the longest wait during each: `npm
 * run migration-locks -- [rows] [first]`, a million by default, from the change `first` on, such as "add a component".
 * Brings its own PostgreSQL, or uses `TEST_DATABASE_URL`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSources } from "../generator/commands/generate/project.ts";
import { generate } from "../generator/commands/generate/run.ts";
import { migrationsFolder } from "../generator/migrate/migration.ts";
import type { Database } from "../runtime/database/database.ts";
import { migrate } from "../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../runtime/database/postgres/postgres.ts";
import { startServer } from "../test/support/postgres-server.ts";

const text = { type: "string" };
const toThing = (relation: string, more: object = {}) => ({
  type: "relation",
  relation,
  target: "api::thing.thing",
  ...more,
});

/** The schema of the one big type. */
interface Shape {
  readonly attributes: Readonly<Record<string, object>>;
  readonly box: object;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly search: boolean;
}

interface Stage {
  readonly name: string;
  /** The changes since the previous stage; undefined removes an attribute. */
  readonly attributes?: Readonly<Record<string, object | undefined>>;
  readonly shape?: Partial<Omit<Shape, "attributes">>;
  readonly allow?: readonly string[];
  /** Fills the stage's new attributes. */
  readonly fill?: string;
}

const initial: Shape = {
  attributes: { title: text, views: { type: "integer" } },
  box: { a: text },
  draftAndPublish: false,
  localized: false,
  search: false,
};

const parent = { parent: toThing("manyToOne", { inversedBy: "children" }) };
const children = { children: toThing("oneToMany", { mappedBy: "parent" }) };
const friends = { friends: toThing("manyToMany", { inversedBy: "befriended" }) };
const befriended = { befriended: toThing("manyToMany", { mappedBy: "friends" }) };
const state = (...values: readonly string[]) => ({ type: "enumeration", enum: values });

/** Run in order on the same table. */
const stages: readonly Stage[] = [
  { name: "add a text", attributes: { subtitle: text } },
  { name: "rename it", attributes: { subtitle: undefined, tagline: { ...text, renamedFrom: "subtitle" } } },
  { name: "drop it", attributes: { tagline: undefined }, allow: ["drop:thing.tagline"] },
  { name: "make a text unique", attributes: { title: { ...text, unique: true } } },
  { name: "widen it", attributes: { title: { type: "text", unique: true } } },
  { name: "no longer unique", attributes: { title: { type: "text" } } },
  { name: "retype a number", attributes: { views: { type: "biginteger" } } },
  { name: "add an enumeration", attributes: { state: state("new", "old") }, fill: "update things set state = 'new'" },
  {
    name: "rename its value",
    attributes: { state: { ...state("fresh", "old"), renamedValues: { fresh: "new" } } },
  },
  { name: "remove a value", attributes: { state: state("fresh") } },
  {
    name: "add a relation",
    attributes: { other: toThing("oneToOne") },
    fill: "update things set other_document_id = document_id",
  },
  { name: "make it to-many", attributes: { other: toThing("oneToMany") } },
  {
    name: "give it another side",
    attributes: { ...parent, ...children, other: undefined },
    allow: ["drop:thing.other"],
  },
  {
    name: "add lists",
    attributes: { ...friends, ...befriended },
    fill: "insert into things_friends select id, document_id, 1, 1 from things",
  },
  {
    name: "swap their owner",
    attributes: {
      friends: toThing("manyToMany", { mappedBy: "befriended" }),
      befriended: toThing("manyToMany", { inversedBy: "friends" }),
    },
  },
  {
    name: "make them to-one",
    attributes: { friends: undefined, befriended: toThing("oneToOne") },
    allow: ["narrow:thing.befriended"],
  },
  {
    name: "add a component",
    attributes: { box: { type: "component", component: "shared.box" } },
    fill: `update things set box = json_build_object('id', id, 'a', title)`,
  },
  { name: "rename its field", shape: { box: { b: { ...text, renamedFrom: "a" } } } },
  { name: "make it a list", attributes: { box: { type: "component", component: "shared.box", repeatable: true } } },
  { name: "make it a zone", attributes: { box: { type: "dynamiczone", components: ["shared.box"] } } },
  { name: "add media", attributes: { cover: { type: "media" } } },
  { name: "turn locales on", shape: { localized: true } },
  { name: "turn locales off", shape: { localized: false }, allow: ["drop:thing.locale"] },
  { name: "turn drafts on", shape: { draftAndPublish: true } },
  { name: "turn drafts off", shape: { draftAndPublish: false }, allow: ["publish:thing"] },
  { name: "search it", shape: { search: true } },
  { name: "search another text", attributes: { lead: text } },
];

const after = ({ attributes, ...shape }: Shape, stage: Stage): Shape => {
  const all = Object.entries({ ...attributes, ...stage.attributes });
  const kept = all.flatMap(([name, attribute]) => (attribute === undefined ? [] : [[name, attribute] as const]));
  return { ...shape, ...stage.shape, attributes: Object.fromEntries(kept) };
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** False if a statement's lock wait timed out; throws any other error. */
const isStopped = (error: unknown): boolean => {
  if (error instanceof Error && error.name === "ServiceUnavailableError") return false;
  throw error;
};

/** Durations, in milliseconds, of statements repeated until stopped. */
const keepBusy = (work: () => Promise<unknown>) => {
  let longest = 0;
  const stop = new AbortController();
  const loop = (async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      // After a timeout the wait continues: what counts is when the statement succeeds.
      while (!(await work().then(() => true, isStopped))) continue;
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  return async (): Promise<number> => {
    stop.abort();
    await loop;
    return longest;
  };
};

const writeSchema = (root: string, { attributes, box, draftAndPublish, localized, search }: Shape): void => {
  const info = { singularName: "thing", pluralName: "things", displayName: "Thing" };
  const options = { draftAndPublish, search };
  const pluginOptions = { i18n: { localized } };
  const files = {
    "thing/schema.json": {
      kind: "collectionType",
      collectionName: "things",
      info,
      options,
      pluginOptions,
      attributes,
    },
    "components/shared/box.json": { info: { displayName: "Box" }, attributes: box },
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

/** No timeout for filling a big table. */
const PATIENT = { statementSeconds: 3600, lockSeconds: 3600 };

/** `database` is for migrations and their concurrent statements, `filler` for filling the tables. */
const measure = async (database: Database, filler: Database, root: string, rows: number, first = ""): Promise<void> => {
  const project = await openSources(root, undefined);
  const migrations = migrationsFolder(project.folder);
  let shape = initial;
  writeSchema(root, shape);
  await generate(project, {});
  await migrate(database, migrations);
  await fill(filler, rows);
  say(`${rows} rows; the longest wait of a reader and of a writer in milliseconds`);
  for (const stage of stages.slice(
    Math.max(
      0,
      stages.findIndex(({ name }) => name === first),
    ),
  )) {
    shape = after(shape, stage);
    writeSchema(root, shape);
    await generate(project, stage.allow ? { allow: stage.allow } : {});
    const anyRow = () => 1 + Math.floor(Math.random() * rows);
    const reading = keepBusy(() => database.rows("select title from things where id = $1", [anyRow()]));
    const writing = keepBusy(() => database.rows("update things set updated_at = now() where id = $1", [anyRow()]));
    const began = performance.now();
    const names = await migrate(database, migrations);
    const took = performance.now() - began;
    const figures = [took, await reading(), await writing()].map((value) => String(Math.round(value)).padStart(7));
    const note = names.length === 0 ? "  (no migration)" : "";
    say(`${stage.name.padEnd(20)} took ${figures[0]}  read ${figures[1]}  write ${figures[2]}${note}`);
    if (stage.fill) await filler.script(stage.fill);
    await filler.script("vacuum analyze things");
  }
};

const rows = Number(process.argv[2] ?? 1_000_000);
const server = await startServer();
const root = mkdtempSync(path.join(tmpdir(), "galley-locks-"));
try {
  const database = await openPostgres(server.url, 8);
  await database.script("drop schema public cascade; create schema public");
  const filler = await openPostgres(server.url, 1, PATIENT);
  await measure(database, filler, root, rows, process.argv[3]);
  await filler.close();
  await database.close();
} finally {
  rmSync(root, { recursive: true, force: true });
  await server.stop();
}
