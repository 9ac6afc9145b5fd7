import { expect, onTestFinished, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { parseQuery, readMany } from "../../../runtime/query/index.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { bothDatabases, freshDatabase, recording } from "../../support/database.ts";
import { article, author } from "./content.ts";
import { seed } from "./seed.ts";
import { articles, articlesCategories, articlesGallery, insert } from "./tables.ts";
import { createWorld, itemsOf, reader } from "./world.ts";

const at = "2021-01-01 00:00:00";

/** More documents like the seeded ones, with components of every kind. */
const grow = async (database: Parameters<typeof insert>[0]): Promise<void> => {
  const ids = Array.from({ length: 20 }, (_, index) => 100 + index);
  await insert(
    database,
    documents,
    ids.map((id) => ({ documentId: `more${id}`, type: article.uid })),
  );
  await insert(
    database,
    articles,
    ids.map((id) => ({
      id,
      documentId: `more${id}`,
      locale: "en",
      title: `More ${id}`,
      author: id % 2 ? "ann" : "bob",
      cover: (id % 2) + 1,
      createdAt: at,
      updatedAt: at,
      publishedAt: at,
      seo: {
        id: id * 10,
        image: 1,
        images: [1, 2],
        topics: ["root", "leaf"],
        links: [{ id: id * 10 + 1, owner: "cid" }],
      },
      links: [{ id: id * 10 + 2, icon: 2, owner: "bob" }],
      sections: [
        { __component: "blocks.hero", id: id * 10 + 3, image: 2, about: [{ __type: author.uid, documentId: "cid" }] },
        { __component: "blocks.quote", id: id * 10 + 4 },
      ],
    })),
  );
  await insert(
    database,
    articlesCategories,
    ids.map((versionId) => ({ versionId, documentId: "leaf", position: 1 })),
  );
  await insert(
    database,
    articlesGallery,
    ids.map((versionId) => ({ versionId, fileId: 1, position: 1 })),
  );
};

const everything = [
  "populate[cover]=true",
  "populate[gallery]=true",
  "populate[author][populate][avatar]=true",
  "populate[categories]=true",
  "populate[seo][populate][image]=true",
  "populate[seo][populate][images]=true",
  "populate[seo][populate][topics]=true",
  "populate[seo][populate][links][populate][owner]=true",
  "populate[links][populate][icon]=true",
  "populate[sections][on][blocks.hero][populate][image]=true",
  "populate[sections][on][blocks.hero][populate][about][on][api::author.author][fields]=name",
  "populate[sections][on][blocks.quote]=true",
].join("&");

test.each(bothDatabases)("statements depend on what is asked for, not on how much is there, on %s", async (kind) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  const world = await createWorld(database);
  await seed(database);
  const count = async (query: string): Promise<number> => {
    statements.length = 0;
    await readMany(world.context(), article, parseQuery(query));
    return statements.length;
  };
  const counts = async () => ({
    page: await count("fields=title"),
    withoutTotal: await count("fields=title&pagination[withCount]=false"),
    filtered: await count("filters[author][name]=Ann&sort=author.age"),
    filteredPastTheEnd: await count("filters[author][name]=Ann&pagination[start]=50"),
    everything: await count(everything),
  });
  // Everything: page and total; files; authors with their avatars, authors of links, authors by name; topics; gallery;
  // categories; and one level below, the avatars.
  const expected = { page: 2, withoutTotal: 1, filtered: 2, filteredPastTheEnd: 2, everything: 10 };
  expect(await counts()).toEqual(expected);
  await grow(database);
  expect(await counts()).toEqual(expected);
});

const query = (word: string, number: number, locale: string) =>
  `filters[title][$contains]=${word}&filters[rating][$in][]=${number}&filters[author][name]=${word}&_q=${word}` +
  `&populate[categories][filters][name]=${word}&populate[links][filters][amount]=${number}&locale=${locale}`;

test.each(bothDatabases)("the text of a statement holds no value of the query, on %s", async (kind) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  const world = await createWorld(database);
  await seed(database);
  const texts = async (query: string): Promise<string[]> => {
    statements.length = 0;
    await readMany(world.context(), article, parseQuery(query));
    return [...statements];
  };
  const first = await texts(query("o'needle", 1, "en"));
  expect(await texts(query("'; drop table articles; --", 2, "fr"))).toEqual(first);
  expect(first.join()).not.toContain("needle");
});

/** A caller who may read the rows with ids above a number. */
const above = (least: number): Caller => {
  const rule = [{ where: { id: { $gt: least } }, locales: undefined }];
  const filters = new Map(
    ["article", "author", "category"].map((name) => [`api::${name}.${name}.find`, rule] as const),
  );
  return { ...reader, rows: { key: String(least), filters } };
};

test.each(bothDatabases)("whoever may read only some rows is read by as many statements, on %s", async (kind) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  const world = await createWorld(database);
  await seed(database);
  const context = world.context();
  const texts = async (caller: Caller): Promise<string[]> => {
    statements.length = 0;
    await readMany({ ...context, caller }, article, everything);
    return [...statements];
  };
  const [whole, limited] = [await texts(reader), await texts(above(-1))];
  expect(limited).toHaveLength(whole.length);
  expect(limited).not.toEqual(whole);
  expect(await texts(above(-2))).toEqual(limited);
});

test("a list sorted by a related row joins it, instead of asking for it row by row", async () => {
  const { database, statements } = recording(await freshDatabase("postgres", onTestFinished));
  const world = await createWorld(database);
  await seed(database);
  for (const query of ["sort=author.name", "sort=author.boss.name:desc", "sort=author.name&filters[title]=x"]) {
    statements.length = 0;
    await readMany(world.context(), article, parseQuery(query));
    expect(statements[0], query).toMatch(/ join "authors" "t/);
    expect(statements[0], query).not.toMatch(/\(select \S*"name"/);
  }
});

test("the statement of a list in the order of ids is planned once, whichever pages are asked for", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  const world = await createWorld(database);
  await database.script(
    `insert into documents (document_id, type) select 'd' || n, 'api::author.author' from generate_series(1, 2000) n;
     insert into authors (document_id, name, age, created_at, updated_at, published_at)
     select 'd' || n, 'Name ' || n, n % 7, now(), now(), now() from generate_series(1, 2000) n;
     analyze authors`,
  );
  for (let page = 1; page <= 20; page += 1) {
    const query = `fields=name&pagination[page]=${page}&pagination[pageSize]=5&pagination[withCount]=false`;
    const { documents } = await readMany(world.context(), author, parseQuery(query));
    expect(itemsOf(documents).map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `Name ${n + 5 * (page - 1)}`),
    );
  }
  // PostgreSQL plans the first five runs of every statement, to compare.
  const plans = await database.rows(
    `select custom_plans <= 5 and generic_plans > 0 from pg_prepared_statements where statement like '%from "authors"%'`,
  );
  expect(plans).toEqual([[true]]);
});
