/**
 * Lists that are filtered by relations that most rows have, and by relations that few have: they give the right rows, however
 * these are found, and what is read for a page does not grow with the table.
 */
import { beforeAll, expect, test } from "vitest";
import type { Database, Parameter } from "../../../runtime/database/database.ts";
import { parseQuery, readMany } from "../../../runtime/query/index.ts";
import { freshDatabase } from "../../support/database.ts";
import { article } from "./content.ts";
import { createWorld, itemsOf, type World } from "./world.ts";

const SIZE = 3000;
const LARGE = 12_000;

/** Few articles have it, most have it, or many do but none of the first. */
type Name = "few" | "most" | "late";
const nameOf = (n: number): Name => (n % 100 === 0 ? "few" : n > 2000 && n <= 2600 ? "late" : "most");
const NAME = "case when n % 100 = 0 then 'few' when n > 2000 and n <= 2600 then 'late' else 'most' end";
/** Every fiftieth has another category besides. */
const categoriesOf = (n: number): readonly Name[] => (n % 50 === 0 ? [nameOf(n), "few"] : [nameOf(n)]);
const ratingOf = (n: number): number => (n * 7919) % 1009;

const times = "'2021-01-01', '2021-01-01'";
const columns = "document_id, locale, title, rating, author_document_id, created_at, updated_at, published_at";

/** Articles with versions that no list shows: drafts by others, and other locales. */
const add = async (database: Database, from: number, to: number): Promise<void> => {
  const series = `generate_series(${from}, ${to}) n`;
  const other = `case when n <= ${SIZE} then 'few' else 'most' end`;
  await database.script(`
    insert into documents (document_id, type) select 'd' || n, 'api::article.article' from ${series};
    insert into articles (${columns})
    select 'd' || n, 'en', 'Article ' || n, (n * 7919) % 1009, ${NAME}, ${times}, now() from ${series};
    insert into articles (${columns})
    select 'd' || n, 'en', 'Draft', (n * 7919) % 1009, ${other}, ${times}, null from ${series} where n % 5 = 0;
    insert into articles (${columns})
    select 'd' || n, 'fr', 'En français', 0, ${other}, ${times}, now() from ${series} where n % 7 = 0;
    insert into articles_categories (version_id, document_id, position)
    select a.id, 'c' || name, row_number() over (partition by a.id) from articles a, ${series}, unnest(array[${NAME}, case when n % 50 = 0 and n % 100 > 0 then 'few' end]) name
    where a.document_id = 'd' || n and a.locale = 'en' and name is not null;
    analyze;`);
};

interface Sent {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

let database: Database;
let world: World;
let sent: Sent[];

beforeAll(async () => {
  database = await freshDatabase("postgres");
  sent = [];
  world = await createWorld({
    ...database,
    rows(sql, parameters = []) {
      sent.push({ sql, parameters });
      return database.rows(sql, parameters);
    },
  });
  const names = "unnest(array['few', 'most', 'late']) name";
  await database.script(`
    create unique index on articles (document_id, locale, (published_at is not null));
    create index on articles (author_document_id, author_position);
    create unique index on articles_categories (version_id, document_id);
    create index on articles_categories (document_id, inverse_position);
    create index on articles (locale, rating, id);
    insert into documents (document_id, type) select name, 'api::author.author' from ${names};
    insert into authors (document_id, name, created_at, updated_at, published_at) select name, name, ${times}, now() from ${names};
    insert into documents (document_id, type) select 'c' || name, 'api::category.category' from ${names};
    insert into categories (document_id, name, created_at, updated_at, published_at) select 'c' || name, name, ${times}, now() from ${names};`);
  await add(database, 1, SIZE);
});

const byAuthor = (name: Name): readonly [string, (n: number) => boolean] => [
  `filters[author][name]=${name}`,
  (n) => nameOf(n) === name,
];
const byCategory = (name: Name): readonly [string, (n: number) => boolean] => [
  `filters[categories][name]=${name}`,
  (n) => categoriesOf(n).includes(name),
];
const either = (author: Name, category: Name): readonly [string, (n: number) => boolean] => [
  `filters[$or][0][author][name]=${author}&filters[$or][1][categories][name]=${category}`,
  (n) => nameOf(n) === author || categoriesOf(n).includes(category),
];

const filters = [
  ...(["few", "most", "late"] as const).flatMap((name) => [byAuthor(name), byCategory(name)]),
  either("few", "few"),
  either("few", "late"),
  either("most", "few"),
];

const sorts: readonly (readonly [string, (one: number, other: number) => number])[] = [
  ["", () => 0],
  ["&sort=id:desc", (one, other) => other - one],
  ["&sort=rating", (one, other) => ratingOf(one) - ratingOf(other)],
  ["&sort=rating:desc", (one, other) => ratingOf(other) - ratingOf(one)],
  ["&sort=title", (one, other) => (`Article ${one}` < `Article ${other}` ? -1 : 1)],
  ["&sort[0]=author.name&sort[1]=rating:desc", (one, other) => byNames(one, other) || ratingOf(other) - ratingOf(one)],
];

const byNames = (one: number, other: number): number => {
  const [first, second] = [nameOf(one), nameOf(other)];
  return first === second ? 0 : first < second ? -1 : 1;
};

const pages = [
  [0, 25],
  [20, 30],
  [470, 100],
] as const;

test.each(filters)("the pages of %s are those of the whole list in every order", async (filter, meets) => {
  const all = Array.from({ length: SIZE }, (_, index) => index + 1).filter(meets);
  for (const [sort, compare] of sorts) {
    const ordered = all.toSorted((one, other) => compare(one, other) || one - other);
    for (const [start, limit] of pages) {
      const page = `&fields=title&pagination[start]=${start}&pagination[limit]=${limit}&pagination[withCount]=false`;
      const { documents } = await readMany(world.context(), article, parseQuery(filter + sort + page));
      const titles = itemsOf(documents).map(({ title }) => title);
      expect(titles, `${sort} from ${start}`).toEqual(ordered.slice(start, start + limit).map((n) => `Article ${n}`));
    }
  }
});

interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has taken from tables and indexes. */
const rowsRead = (node: PlanNode): number => {
  const inner = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  const isTable = /^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(node["Node Type"]);
  if (!isTable) return inner;
  return inner + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
};

const read = async (query: string): Promise<number> => {
  sent.length = 0;
  await readMany(world.context(), article, parseQuery(`${query}&pagination[withCount]=false`));
  const [statement] = sent;
  if (statement === undefined) throw new Error("nothing was asked");
  const [row] = await database.rows(
    `explain (analyze, timing off, format json) ${statement.sql}`,
    statement.parameters,
  );
  const explained: unknown = row?.[0];
  const [{ Plan }]: [{ readonly Plan: PlanNode }] = typeof explained === "string" ? JSON.parse(explained) : explained;
  return rowsRead(Plan);
};

test("what is read for a page does not grow with the table", async () => {
  const queries = filters.flatMap(([filter]) => (filter.includes("late") ? [] : [filter, `${filter}&sort=rating`]));
  const before = new Map<string, number>();
  for (const query of queries) before.set(query, await read(query));
  await add(database, SIZE + 1, LARGE);
  for (const query of queries) {
    const rows = await read(query);
    expect(rows, query).toBeLessThan(3000);
    // Of four times as many articles, four times as many have what few have.
    if (!query.includes("few")) expect(rows, query).toBeLessThanOrEqual(1.3 * (before.get(query) ?? 0));
  }
});
