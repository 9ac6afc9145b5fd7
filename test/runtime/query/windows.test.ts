/** A part of every list, as GraphQL asks for it: the database cuts, and leaves what the whole list has there. */
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { readMany, type RawQuery, Selected, type SelectedOptions } from "../../../runtime/query/index.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { files } from "../../../runtime/schema/tables/files.ts";
import { freshDatabase } from "../../support/database.ts";
import { RUNS } from "../../support/thorough.ts";
import { article, author, category } from "./content.ts";
import { type Article, randomData, store } from "./random-data.ts";
import { articlesGallery, comments, commentsMentions, insert } from "./tables.ts";
import { createWorld, type Item, itemsOf, type World } from "./world.ts";

const at = "2020-01-01 00:00:00";
const live = { createdAt: at, updatedAt: at, publishedAt: at };
const COMMENTS = Array.from({ length: 12 }, (_, index) => index + 1);

const file = (id: number) => ({
  id,
  documentId: `f${id}`,
  name: `${id}`,
  hash: `h${id}`,
  mime: "image/png",
  size: 1,
});

/** Files, and comments that point at articles from columns and from links: some twice, some at none. */
const storeMore = async (database: Database, articles: readonly Article[]): Promise<void> => {
  const stored = { ext: ".png", provider: "local" };
  await insert(
    database,
    files,
    [1, 2, 3, 4].map((id) => ({ ...live, ...stored, ...file(id), url: `/uploads/${id}` })),
  );
  const gallery = articles.flatMap(({ id }) =>
    [1, 2, 3, 4]
      .filter((fileId) => (fileId + id) % 3 > 0)
      .map((fileId) => ({ versionId: id, fileId, position: 5 - fileId })),
  );
  await insert(database, articlesGallery, gallery);
  await insert(
    database,
    documents,
    COMMENTS.map((id) => ({ documentId: `c${id}`, type: "api::comment.comment" })),
  );
  const documentType = article.uid;
  await insert(
    database,
    comments,
    COMMENTS.map((id) => ({
      ...live,
      id,
      documentId: `c${id}`,
      content: `${id % 5}`,
      subject: `d${(id % 3) + 1}`,
      subjectType: id % 4 === 0 ? author.uid : documentType,
    })),
  );
  const mentions = COMMENTS.flatMap((versionId) =>
    [1, 2].map((position) => ({
      versionId,
      position,
      documentType,
      documentId: `d${((versionId * position) % 4) + 1}`,
    })),
  );
  await insert(database, commentsMentions, mentions);
  // One file twice, and one that is not there.
  await database.script(
    `update articles set seo = (seo::jsonb || '{"images":[4,9,2,1,2]}')::json where seo::text like '{%'`,
  );
};

let world: World;
let rowsRead = 0;

beforeAll(async () => {
  const database = await freshDatabase("postgres");
  world = await createWorld({
    ...database,
    async rows(sql, parameters) {
      const rows = await database.rows(sql, parameters);
      rowsRead += rows.length;
      return rows;
    },
  });
  const data = randomData();
  await store(database, data);
  await storeMore(database, data.articles);
});

interface List {
  readonly type: ContentType;
  /** The component that holds it. */
  readonly inside?: string;
  readonly name: string;
  /** What is behind it, to sort and filter by. */
  readonly field: string;
}

/** Every way in which rows belong to others: their own links, links and columns of others, and other versions. */
const LISTS: readonly List[] = [
  { type: article, name: "categories", field: "name" },
  { type: article, name: "related", field: "title" },
  { type: article, name: "gallery", field: "name" },
  { type: article, name: "comments", field: "content" },
  { type: article, name: "remarks", field: "content" },
  { type: article, name: "localizations", field: "title" },
  { type: author, name: "articles", field: "title" },
  { type: category, name: "articles", field: "title" },
  { type: article, inside: "seo", name: "topics", field: "name" },
  { type: article, inside: "seo", name: "images", field: "name" },
];

/** What shows a list, and nothing else. */
const populated = ({ inside, name }: List, selected: SelectedOptions): RawQuery["populate"] => {
  const populate = { list: new Selected(name, selected) };
  return inside === undefined ? populate : { [inside]: { fields: ["id"], populate } };
};

const question = fc.record({
  list: fc.constantFrom(...LISTS),
  start: fc.integer({ min: 0, max: 3 }),
  limit: fc.integer({ min: 1, max: 3 }),
  sort: fc.constantFrom(undefined, "asc", "desc"),
  filter: fc.constantFrom(undefined, "a", "1"),
  locale: fc.constantFrom("en", "fr", "*"),
  status: fc.constantFrom("published", "draft"),
});

const read = async (type: ContentType, raw: RawQuery): Promise<readonly Item[]> =>
  itemsOf(
    (await readMany({ ...world.context(), code: true }, type, { pagination: { pageSize: 100 }, ...raw })).documents,
  );

/** What is shown of a list of an item. */
const listed =
  ({ inside }: List) =>
  (item: Item): readonly unknown[] => {
    const holder = inside === undefined ? item : item[inside];
    const list = isRecord(holder) ? holder["list"] : undefined;
    return Array.isArray(list) ? list : [];
  };

test("a part of a list is that part of the whole list, whatever ties it to its owner", async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(question, async ({ list, start, limit, sort, filter, locale, status }) => {
      const { type, field } = list;
      const options = {
        fields: [field],
        ...(sort === undefined ? {} : { sort: `${field}:${sort}` }),
        ...(filter === undefined ? {} : { filters: { [field]: { $contains: filter } } }),
      };
      const asked = (window?: { readonly start: number; readonly limit: number }) =>
        read(type, { locale, status, populate: populated(list, { options, window }) });
      const whole = await asked();
      const part = await asked({ start, limit });
      const lists = whole.map(listed(list));
      expect(part.map(listed(list))).toEqual(lists.map((each) => each.slice(start, start + limit)));
      cut += lists.filter((each) => each.length > limit).length;
    }),
    { numRuns: RUNS.windows },
  );
  // Lists that need no cut would prove nothing.
  expect(cut).toBeGreaterThan(100);
});

test.each(LISTS)("no more is read of $name of $type.pluralName than is shown", async (list) => {
  const { type, name, field } = list;
  const populate = populated(list, { options: { fields: [field] }, window: { start: 0, limit: 1 } });
  const options = { locale: name === "localizations" ? "*" : "en", pagination: { withCount: false } };
  const all = await read(type, options);
  let shown = 0;
  for (const { id } of all) {
    rowsRead = 0;
    const items = await read(type, { ...options, filters: { id }, populate });
    const inLists = items.flatMap(listed(list)).length;
    expect(rowsRead).toBe(items.length + inLists);
    shown += inLists;
  }
  expect(shown).toBeGreaterThan(0);
});
