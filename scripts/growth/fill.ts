/** Fills the project's tables with SQL: a million notes take some minutes. */
import type { Sql } from "postgres";

/** Notes in each small category and topic; the first of each has nine tenths of all notes. */
const SMALL = 40;
/** Tags of each note. */
const LINKS = 2;

/** A row's documentId: a letter and a number. */
export const documentId = (letter: string, number: string | number): string =>
  `${letter}${String(number).padStart(23, "0")}`;

const id = (letter: string, number: string): string => `'${letter}' || lpad((${number})::text, 23, '0')`;

/** The words of guides, of letters alone; the lower the number, the more guides have it. */
const WORDS = 20_000;
/** Words of each guide. */
const LENGTH = 60;

/** A word by its number. */
export const word = (number: number): string =>
  [...String(number)].map((digit) => "ghijklmnop"[Number(digit)]).join("");

const GUIDE_INDEX = "guides_words_idx";

/** Fills guides without their index, which is built at the end. */
const fillGuides = async (client: Sql, guides: number): Promise<void> => {
  const [index] = await client`select indexdef from pg_indexes where indexname = ${GUIDE_INDEX}`;
  const words = `select string_agg(translate((${WORDS} * random() ^ 3)::int::text, '0123456789', 'ghijklmnop'), ' ')
    from generate_series(1, ${LENGTH} + 0 * n)`;
  for (const statement of [
    `drop index ${GUIDE_INDEX}`,
    `insert into documents (document_id, type) select ${id("g", "n")}, 'api::guide.guide' from generate_series(1, ${guides}) n`,
    `insert into guides (document_id, title, sections, created_at, updated_at, published_at)
     select ${id("g", "n")}, 'guide' || n, json_build_array(json_build_object('__component', 'parts.text', 'id', n,
       'heading', 'About ' || n, 'text', (${words}))), now(), now(), now() from generate_series(1, ${guides}) n`,
    String(index?.["indexdef"]),
  ])
    await client.unsafe(statement);
};

const targets = (table: string, name: string, letter: string, count: number): readonly string[] => [
  `insert into documents (document_id, type) select ${id(letter, "n")}, 'api::${name}.${name}' from generate_series(1, ${count}) n`,
  `insert into ${table} (document_id, name, created_at, updated_at, published_at)
   select ${id(letter, "n")}, '${name} ' || n, now(), now(), now() from generate_series(1, ${count}) n`,
];

/** One writer per ten notes, and one tag per hundred. Nine of ten notes share a category and a topic. */
const statements = (notes: number): readonly string[] => {
  const [writers, tags, small] = [Math.ceil(notes / 10), Math.ceil(notes / 100), Math.ceil(notes / 10 / SMALL)];
  const lopsided = (letter: string): string =>
    `case when n % 10 > 0 then ${id(letter, "1")} else ${id(letter, `2 + (n / 10) % ${small}`)} end`;
  return [
    // Skips the row-by-row check of foreign keys: the inserted rows are consistent.
    "set session_replication_role = replica",
    "set synchronous_commit = off",
    "set maintenance_work_mem = '256MB'",
    ...targets("writers", "writer", "w", writers),
    ...targets("tags", "tag", "t", tags),
    ...targets("categories", "category", "c", small + 1),
    ...targets("topics", "topic", "p", small + 1),
    `insert into documents (document_id, type) select ${id("n", "n")}, 'api::note.note' from generate_series(1, ${notes}) n`,
    `insert into notes (document_id, title, body, views, writer_document_id, writer_position, category_document_id,
       category_position, created_at, updated_at, published_at)
     select ${id("n", "n")}, 'Note number ' || n, repeat('Words about ' || n || '. ', 10), (n::bigint * 7919) % ${notes},
       case when n % 10 > 0 then ${id("w", `1 + (n / 10) % ${writers}`)} end, n, ${lopsided("c")}, n, now(), now(), now()
     from generate_series(1, ${notes}) n`,
    `insert into notes_tags (version_id, document_id, position, inverse_position)
     select v.id, ${id("t", `1 + (v.id::bigint * k * 13) % ${tags}`)}, k, v.id from notes v, generate_series(1, ${LINKS}) k
     on conflict do nothing`,
    `insert into notes_topics (version_id, document_id, position, inverse_position)
     select n, ${lopsided("p")}, 1, n from generate_series(1, ${notes}) n`,
  ];
};

/** Fills migrated tables, which must be empty, and updates planner statistics. */
export const fill = async (client: Sql, notes: number): Promise<void> => {
  for (const statement of statements(notes)) await client.unsafe(statement);
  await fillGuides(client, notes);
  for (const statement of ["vacuum analyze", "checkpoint"]) await client.unsafe(statement);
};

/** Indexes that a project may add. */
export const INDEXES: readonly string[] = [
  "create index on notes (views desc, id)",
  "create index on writers (name, id)",
  "create index on categories (name, id)",
  "create index on tags (name, id)",
  "create index on topics (name, id)",
  "create index on notes (title, id)",
  "create extension pg_trgm",
  "create index on notes using gin (lower(document_id) gin_trgm_ops, lower(title::text) gin_trgm_ops, lower(body) gin_trgm_ops)",
  "analyze",
];
