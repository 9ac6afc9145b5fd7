/**
 * Prints how the cost of lists of 25 grows with the number of documents: CPU of PostgreSQL per request, in microseconds,
 * for a few thousand documents and for many, each with links to tags and to one of many writers.
 * `npm run growth -- [--small 10000] [--large 100000] [--match "sorted"] [--indexed]`; with `--indexed`, a project has
 * added indexes of its own (docs/database.md). `--large 1000000` takes some minutes and 3 GB of disk. Linux only, as it reads
 * /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { cpuOf } from "./bench/cpu.ts";

const { values } = parseArgs({
  options: {
    small: { type: "string", default: "10000" },
    large: { type: "string", default: "100000" },
    match: { type: "string", default: "" },
    indexed: { type: "boolean", default: false },
  },
});
/** A request is repeated until this many milliseconds have passed, but at least `LEAST` times. */
const MILLISECONDS = 700;
const LEAST = 3;
const LINKS = 2;

const program = path.resolve(import.meta.dirname, "..", "dist", "generator", "cli.js");

const relation = (kind: string, target: string) => ({ type: "relation", relation: kind, target });

const schemas = {
  note: {
    title: { type: "string", required: true },
    body: { type: "text" },
    views: { type: "integer" },
    writer: { ...relation("manyToOne", "api::writer.writer"), inversedBy: "notes" },
    tags: { ...relation("manyToMany", "api::tag.tag"), inversedBy: "notes" },
  },
  writer: {
    name: { type: "string" },
    notes: { ...relation("oneToMany", "api::note.note"), mappedBy: "writer" },
  },
  tag: {
    name: { type: "string" },
    notes: { ...relation("manyToMany", "api::note.note"), mappedBy: "tags" },
  },
};

const id = (letter: string, number: string): string => `'${letter}' || lpad((${number})::text, 23, '0')`;

/** One writer for ten notes, one tag for a hundred. */
const content = (notes: number): string => {
  const [writers, tags] = [Math.ceil(notes / 10), Math.ceil(notes / 100)];
  const targets = (type: string, letter: string, count: number): string => `
    insert into documents (document_id, type) select ${id(letter, "n")}, 'api::${type}.${type}' from generate_series(1, ${count}) n;
    insert into ${type}s (document_id, name, created_at, updated_at, published_at)
    select ${id(letter, "n")}, '${type} ' || n, now(), now(), now() from generate_series(1, ${count}) n;`;
  return `
    set synchronous_commit = off;
    ${targets("writer", "w", writers)}
    ${targets("tag", "t", tags)}
    insert into documents (document_id, type) select ${id("n", "n")}, 'api::note.note' from generate_series(1, ${notes}) n;
    insert into notes (document_id, title, body, views, writer_document_id, writer_position, created_at, updated_at, published_at)
    select ${id("n", "n")}, 'Note number ' || n, repeat('Words about ' || n || '. ', 10), (n::bigint * 7919) % ${notes},
      case when n % 10 > 0 then ${id("w", `1 + (n / 10) % ${writers}`)} end, n, now(), now(), now()
    from generate_series(1, ${notes}) n;
    insert into notes_tags (version_id, document_id, position, inverse_position)
    select v.id, ${id("t", `1 + (v.id * k * 13) % ${tags}`)}, k, v.id from notes v, generate_series(1, ${LINKS}) k
    on conflict do nothing;
    vacuum analyze;`;
};

const page = "pagination[start]=0&pagination[limit]=25";
const plain = `${page}&pagination[withCount]=false`;

const from = (start: number): string => plain.replace("start]=0", `start]=${start}`);

/** Indexes that a project may add. */
const INDEXES = `
  create index on notes (views desc, id);
  create index on writers (name);
  create index on tags (name);
  create index on notes (title);
  create extension pg_trgm;
  create index on notes using gin (lower(document_id::text) gin_trgm_ops, lower(title::text) gin_trgm_ops, lower(body::text) gin_trgm_ops);
  analyze;`;

const requestsOf = (notes: number): Readonly<Record<string, string>> => ({
  "in order": plain,
  "sorted by a number": `${plain}&sort=views:desc`,
  "filtered by a to-one relation": `${plain}&filters[writer][name]=writer 7`,
  "filtered by a to-many relation": `${plain}&filters[tags][name]=tag 7`,
  "filtered by the id of a to-many relation": `${plain}&filters[tags][documentId]=t${"7".padStart(23, "0")}`,
  "filtered by a to-many relation, sorted": `${plain}&filters[tags][name]=tag 7&sort=views:desc`,
  "filtered by one relation or another": `${plain}&filters[$or][0][writer][name]=writer 7&filters[$or][1][tags][name]=tag 7`,
  "filtered two relations deep": `${plain}&filters[tags][notes][title]=Note number 7`,
  "without a relation": `${plain}&filters[writer][$null]=true`,
  "sorted by a relation": `${plain}&sort=writer.name:asc`,
  "sorted by a relation, descending": `${plain}&sort=writer.name:desc`,
  "sorted by a to-many relation": `${plain}&sort=tags.name`,
  "searched (_q), found often": `${plain}&_q=number 1`,
  "searched (_q), found once": `${plain}&_q=number ${notes - 1}`,
  "from the middle on": from(notes / 2),
  "from the middle on, sorted by a number": `${from(notes / 2)}&sort=views:desc`,
  populated: `${plain}&populate[tags]=true&populate[writer]=true`,
  "with the total": page,
  "filtered by a to-many relation, with the total": `${page}&filters[tags][name]=tag 7`,
});

const measureAt = async (notes: number): Promise<ReadonlyMap<string, number>> => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-growth-"));
  const database = await startEmbedded([
    "jit=off",
    "fsync=off",
    "autovacuum=off",
    "max_wal_size=4GB",
    "shared_buffers=256MB",
  ]);
  const pid = Number(readFileSync(path.join(database.data, "postmaster.pid"), "utf8").split("\n")[0]);
  const port = await freePort();
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    JWT_SECRET: "for measurements only",
    API_TOKEN_SALT: "the same",
  };
  const cms = (...args: string[]): void => {
    execFileSync(process.execPath, [program, "--root", root, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  };
  let server: ReturnType<typeof spawn> | undefined;
  try {
    for (const [name, attributes] of Object.entries(schemas)) {
      const info = { singularName: name, pluralName: `${name}s`, displayName: name };
      mkdirSync(path.join(root, "content-types", name), { recursive: true });
      const schema = { kind: "collectionType", info, options: { draftAndPublish: false }, attributes };
      writeFileSync(path.join(root, "content-types", name, "schema.json"), JSON.stringify(schema));
    }
    const actions = Object.keys(schemas).map((name) => `api::${name}.${name}.find`);
    writeFileSync(path.join(root, "permissions.json"), JSON.stringify({ public: actions }));
    writeFileSync(
      path.join(root, "cms.config.ts"),
      "export default { database: { statementSeconds: 120 }, cache: { enabled: false } };\n",
    );
    cms("generate");
    cms("migrate");
    cms("permissions", "apply", "permissions.json");
    const client = postgres(database.url, { max: 1, onnotice: () => {} });
    for (const statement of content(notes).split(/;\s*\n/)) await client.unsafe(statement);
    if (values.indexed) await client.unsafe(INDEXES);
    await client.end();
    server = spawn(process.execPath, [program, "--root", root, "start", "--port", String(port)], {
      env,
      stdio: "ignore",
    });
    const ask = async (query: string): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/notes?${query}`);
      const text = await response.text();
      if (!response.ok) throw new Error(text);
    };
    while (
      !(await ask("").then(
        () => true,
        () => false,
      ))
    )
      await wait(100);
    const costs = new Map<string, number>();
    for (const [name, query] of Object.entries(requestsOf(notes))) {
      if (!name.includes(values.match)) continue;
      const run = (): Promise<void> => ask(query);
      await run();
      await run();
      const [start, before] = [performance.now(), cpuOf(pid)];
      let count = 0;
      for (; count < LEAST || performance.now() - start < MILLISECONDS; count += 1) await run();
      costs.set(name, (cpuOf(pid) - before) / count);
    }
    return costs;
  } finally {
    server?.kill();
    await database.stop();
    rmSync(root, { recursive: true, force: true });
  }
};

const [small, large] = [Number(values.small), Number(values.large)];
const few = await measureAt(small);
const many = await measureAt(large);
console.log(`| a list of 25 | of ${small} | of ${large} | growth |`);
console.log("| --- | --- | --- | --- |");
for (const [name, cost] of few) {
  const other = many.get(name) ?? Number.NaN;
  console.log(`| ${name} | ${cost.toFixed(0)} | ${other.toFixed(0)} | ${(other / cost).toFixed(1)} |`);
}
