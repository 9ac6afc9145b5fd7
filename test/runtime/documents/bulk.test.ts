/** Writes of many documents at once: one transaction, the checks of single writes, and few statements. */
import { beforeEach, expect, test } from "vitest";
import application from "../../../generated/index.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import type { DocumentObject } from "../../../runtime/query/index.ts";
import { authApp } from "../../support/auth-app.ts";
import { freshDatabase, recording } from "../../support/database.ts";

const watched = recording(await freshDatabase("postgres"));
await migrate(watched.database, "generated/migrations");
const { services } = await authApp({
  database: watched.database,
  application,
  config: { locales: { default: "en", codes: ["en", "de"] } },
});
const { documents } = services;
/** Takes what the compiler refuses. */
const loose = anyDocuments(services);
const [articles, categories, tags] = [
  documents("api::article.article"),
  documents("api::category.category"),
  documents("api::tag.tag"),
];

beforeEach(async () => {
  await watched.database.rows("delete from documents");
});

/** How many statements `work` takes, without those that fetch ids now and then. */
const count = async (work: () => Promise<unknown>): Promise<number> => {
  watched.statements.length = 0;
  await work();
  return watched.statements.filter((statement) => !statement.includes("nextval")).length;
};

const article = (number: number, tag?: string) => ({
  title: `Tea "${number}" \\ {a,b}`,
  slug: `tea-${number}`,
  featured: number % 2 === 0,
  seo: { metaTitle: `Meta ${number}` },
  sections: [{ __component: "blocks.quote" as const, text: `Quote, ${number}` }],
  ...(tag === undefined ? {} : { tags: [tag] }),
});

const many = <Item>(length: number, make: (number: number) => Item): Item[] =>
  Array.from({ length }, (_, number) => make(number));

/** Everything of a document but what differs whenever it is written. */
const contentOf = (found: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(found), (key, value: unknown) =>
    ["id", "documentId", "createdAt", "updatedAt", "publishedAt"].includes(key) ? undefined : value,
  );

test("many documents are created as single ones are, drafts and published versions, in their order", async () => {
  const populate = { seo: true, sections: { on: { "blocks.quote": true } }, tags: true } as const;
  const tag = await tags.create({ data: { name: "Hot", slug: "hot" } });
  const data = many(20, (number) => article(number, number === 7 ? tag.documentId : undefined));
  for (const each of data) await articles.create({ data: each });
  const one = await articles.find({ populate, sort: "id", pagination: { pageSize: 100 } });
  const drafts = await articles.find({ populate, status: "draft", sort: "id", pagination: { pageSize: 100 } });
  await articles.deleteMany({ filters: {} });
  expect(await articles.count({ status: "draft" })).toBe(0);

  const documentIds = await articles.createMany({ data });
  const found = await articles.find({ populate, sort: "id", pagination: { pageSize: 100 } });
  expect(contentOf(found)).toEqual(contentOf(one));
  expect(found.map(({ documentId }) => documentId)).toEqual(documentIds);
  const written = await articles.find({ populate, status: "draft", sort: "id", pagination: { pageSize: 100 } });
  expect(contentOf(written)).toEqual(contentOf(drafts));
  const ids = [...found, ...written].flatMap(({ sections }) => sections.map(({ id }) => id));
  expect(new Set(ids).size).toBe(40);
});

test("however many documents are written, the number of statements is the same", async () => {
  const used: number[][] = [];
  for (const length of [3, 40]) {
    const author = await documents("api::author.author").create({ data: { name: "Ada", slug: `ada-${length}` } });
    used.push([
      await count(() => articles.createMany({ data: many(length, (number) => article(number)) })),
      await count(() =>
        articles.createMany({
          data: many(length, (number) => ({ title: `${number}`, author: author.documentId })),
          status: "draft",
        }),
      ),
      await count(() => articles.updateMany({ filters: {}, data: { title: "Milk" }, status: "draft" })),
      await count(() => articles.updateMany({ filters: { featured: true }, data: { title: "Cream" } })),
      await count(() => articles.deleteMany({ filters: { title: "Milk" }, status: "draft" })),
      await count(() => articles.deleteMany({ filters: {} })),
      await count(() => categories.createMany({ data: many(length, (n) => ({ name: `C ${n}`, slug: `c-${n}` })) })),
      await count(() => categories.updateMany({ filters: {}, data: { description: "All of them" } })),
      await count(() => categories.deleteMany({ filters: {} })),
    ]);
  }
  expect(used[1]).toEqual(used[0]);
  expect(Math.max(...(used[0] ?? []))).toBeLessThan(10);
  expect(await articles.count({ status: "draft" })).toBe(0);
});

/** Articles with links of all sorts, some of them published and changed since, one in two locales. */
const prepare = async (): Promise<void> => {
  const [ada, eve] = [
    await documents("api::author.author").create({ data: { name: "Ada", slug: "ada" } }),
    await documents("api::author.author").create({ data: { name: "Eve", slug: "eve" } }),
  ];
  const listed = await tags.createMany({ data: many(4, (number) => ({ name: `T${number}`, slug: `t${number}` })) });
  for (let number = 0; number < 6; number += 1) {
    const { documentId } = await articles.create({
      data: { ...article(number), author: number < 4 ? ada.documentId : eve.documentId, tags: listed.slice(number) },
      ...(number % 2 === 0 ? { status: "draft" as const } : {}),
    });
    if (number === 3) await articles.update(documentId, { data: { tags: listed.slice(1, 2) }, status: "draft" });
    if (number === 5) await articles.update(documentId, { data: { ...article(50), title: "Tee" }, locale: "de" });
    if (number === 1) await articles.update(documentId, { data: { author: eve.documentId }, status: "draft" });
  }
};

/** What there is: articles in every version, and the lists that lead to them. */
const everything = async (): Promise<unknown> => {
  const found: object[] = [];
  for (const status of ["draft", "published"] as const) {
    for (const locale of ["en", "de"]) {
      const query = { status, locale, sort: "id", pagination: { pageSize: 100 } } as const;
      found.push(await articles.find({ ...query, populate: { author: true, tags: true, seo: true, sections: true } }));
      found.push(
        await documents("api::author.author").find({ ...query, populate: { articles: { fields: ["slug"] } } }),
      );
      found.push(await tags.find({ ...query, populate: { articles: { fields: ["slug"] } } }));
    }
  }
  return contentOf(found);
};

interface Change {
  readonly filters: object;
  readonly data: DocumentObject;
  readonly status: "draft" | "published";
}

test.each<[string, (eve: string, tag: string) => Change]>([
  ["drafts", () => ({ filters: {}, data: { title: "Milk", featured: true }, status: "draft" })],
  [
    "what is published",
    () => ({ filters: { featured: { $notNull: true } }, data: { excerpt: "" }, status: "published" }),
  ],
  ["a to-one relation", (eve) => ({ filters: {}, data: { author: eve }, status: "published" })],
  [
    "to-one relations of drafts",
    (eve) => ({ filters: { slug: { $ne: "tea-2" } }, data: { author: eve }, status: "draft" }),
  ],
  ["a list", (_eve, tag) => ({ filters: {}, data: { tags: [tag] }, status: "published" })],
  ["what is connected", (_eve, tag) => ({ filters: {}, data: { tags: { connect: [tag] } }, status: "published" })],
  ["components", () => ({ filters: {}, data: { seo: { metaTitle: "New" }, sections: [] }, status: "published" })],
])("many are changed as single ones are: %s", async (_what, changeOf) => {
  const run = async (change: (wanted: Change) => Promise<unknown>): Promise<unknown> => {
    await watched.database.rows("delete from documents");
    await prepare();
    const eve = await documents("api::author.author").findFirst({ filters: { slug: "eve" } });
    const tag = await tags.findFirst({ filters: { slug: "t3" } });
    await change(changeOf(eve?.documentId ?? "", tag?.documentId ?? ""));
    return everything();
  };
  const together = await run((wanted) => loose("api::article.article").updateMany(wanted));
  const apart = await run(async ({ filters, data, status }) => {
    for (const { documentId } of await loose("api::article.article").find({ filters, status, sort: "id" })) {
      await loose("api::article.article").update(String(documentId), { data, status });
    }
  });
  expect(together).toEqual(apart);
});

const noSuch = "abcdefghijklmnopqrstuvwx";

test("what is wrong names the document, and then none is written", async () => {
  await articles.create({ data: article(3) });
  const twice = articles.createMany({ data: many(5, (number) => article(number)) });
  await expect(twice).rejects.toMatchObject({
    message: "data[3].slug: This attribute must be unique",
    details: { errors: [{ path: ["3", "slug"], name: "ValidationError", value: "tea-3" }] },
  });
  const any = loose("api::article.article");
  const faulty: DocumentObject[] = [article(7), { ...article(8), title: "x".repeat(121) }, { title: "9" }, article(7)];
  await expect(any.createMany({ data: faulty })).rejects.toMatchObject({
    message: "data[1].title: title must be at most 120 characters (and 1 more)",
    details: { errors: [{ path: ["1", "title"] }, { path: ["2", "slug"] }] },
  });
  await expect(articles.createMany({ data: [article(7), article(8), article(7)] })).rejects.toMatchObject({
    message: "data[2].slug: This attribute must be unique",
  });
  await tags.create({ data: { name: "Tea", slug: "tea" } });
  await expect(
    tags.createMany({ data: ["milk", "tea", "sugar"].map((slug) => ({ name: slug, slug })) }),
  ).rejects.toMatchObject({
    message: "data[1].slug: This attribute must be unique",
    details: { errors: [{ path: ["1", "slug"], name: "ValidationError", value: "tea" }] },
  });
  const slugs = ["milk", "sugar", "milk"];
  await expect(
    tags.createMany({ data: slugs.map((slug, index) => ({ name: `${slug} ${index}`, slug })) }),
  ).rejects.toThrow("data[2].slug: This attribute must be unique");
  expect(await tags.count()).toBe(1);
  const unknown: DocumentObject[] = [article(7), { ...article(8), titel: "x" }];
  await expect(any.createMany({ data: unknown })).rejects.toThrow("data[1]: Invalid key titel");
  await expect(articles.createMany({ data: [article(7), { ...article(8), author: noSuch }] })).rejects.toThrow(
    `data[1]: Document with id "${noSuch}"`,
  );
  const nothing: DocumentObject[] = JSON.parse("[null]");
  await expect(any.createMany({ data: nothing })).rejects.toThrow("data[0] must be an object");
  await expect(any.createMany({ data: JSON.parse('"all"') })).rejects.toThrow("data must be a list");
  await expect(documents("api::homepage.homepage").createMany({ data: [] })).rejects.toThrow("is a single type");
  expect(await articles.count({ status: "draft" })).toBe(1);

  const [first, second] = await articles.createMany({ data: [article(1), article(2)] });
  const both = articles.updateMany({ filters: { slug: { $ne: "tea-3" } }, data: { slug: "one" } });
  await expect(both).rejects.toThrow(`${second}.slug: This attribute must be unique`);
  await expect(articles.updateMany({ filters: { slug: "tea-1" }, data: { slug: "tea-2" } })).rejects.toThrow(
    `${first}.slug: This attribute must be unique`,
  );
  await expect(articles.updateMany({ filters: {}, data: { title: "x".repeat(121) } })).rejects.toThrow(
    "title must be at most 120 characters",
  );
  const listed = await articles.find({ sort: "id", fields: ["slug"] });
  await expect(loose("api::article.article").updateMany({ filters: {}, data: { title: null } })).rejects.toMatchObject({
    details: { errors: listed.map(({ documentId }) => ({ path: [documentId, "title"] })) },
  });
});

test("drafts to publish are found by their documents, also before the database has statistics", async () => {
  await articles.createMany({ data: many(3, (number) => article(number)), status: "draft" });
  watched.statements.length = 0;
  await articles.updateMany({ filters: {}, data: { title: "Milk" }, status: "draft" });
  await articles.updateMany({ filters: {}, status: "draft", data: { featured: true } });
  for (const { documentId } of await articles.find({ status: "draft" })) await articles.publish(documentId);
  await articles.updateMany({ filters: {}, data: { title: "Cream" } });
  const updates = watched.statements.filter((statement) => statement.includes('update "articles"'));
  const plans = await watched.database.transaction(async (session) => {
    await session.script("set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan");
    const explained: string[] = [];
    for (const [index, update] of updates.entries()) {
      const values = [...new Set(update.match(/\$\d+/g))].map(() => "null");
      await session.script(`prepare explained_${index} as ${update}`);
      const plan = await session.rows(`explain execute explained_${index} (${values.join(", ")})`);
      await session.script(`deallocate explained_${index}`);
      explained.push(JSON.stringify(plan));
    }
    return explained;
  });
  expect(plans.length).toBeGreaterThan(2);
  expect(plans.filter((plan) => plan.includes("articles_draft_idx"))).toEqual([]);
});

test("many are found by any number of values, as in other reads of code", async () => {
  const [first = ""] = await tags.createMany({
    data: many(3, (number) => ({ name: `T${number}`, slug: `t${number}` })),
  });
  const documentId = [first, ...many(2000, (number) => `no-${number}`)];
  expect(await tags.updateMany({ filters: { documentId }, data: { name: "T" } })).toEqual([first]);
  expect(await tags.deleteMany({ filters: { documentId: { $in: documentId } } })).toEqual([first]);
});

test("documents are written in many only where something says which", async () => {
  await tags.createMany({ data: many(3, (number) => ({ name: `T${number}`, slug: `t${number}` })) });
  const any = loose("api::tag.tag");
  for (const text of ["{}", '{ "filters": null }', '{ "filters": [] }', '{ "filters": { "slag": "t1" } }']) {
    await expect(any.deleteMany(JSON.parse(text))).rejects.toMatchObject({ status: 400 });
    const query = { ...JSON.parse(text), data: { name: "T" } };
    await expect(any.updateMany(query)).rejects.toMatchObject({ status: 400 });
  }
  await expect(any.deleteMany({ filters: { slug: undefined } })).rejects.toMatchObject({ status: 400 });
  for (const more of ['{ "pagination": { "limit": 1 } }', '{ "where": { "slug": "t1" } }', '{ "sort": "id" }']) {
    const query = { filters: {}, ...JSON.parse(more) };
    await expect(any.deleteMany(query)).rejects.toThrow("Invalid parameter");
    await expect(any.updateMany({ ...query, data: { name: "T" } })).rejects.toThrow("Invalid parameter");
    await expect(any.createMany({ data: [], ...JSON.parse(more) })).rejects.toThrow("Invalid parameter");
  }
  for (const filters of [{ documentId: { $in: [] } }, { slug: [] }, { $or: [] }]) {
    expect(await any.deleteMany({ filters })).toEqual([]);
    expect(await any.updateMany({ filters, data: { name: "T" } })).toEqual([]);
    expect(await any.exists({ filters })).toBe(false);
  }
  expect(await tags.count()).toBe(3);
  expect(await tags.createMany({ data: [] })).toEqual([]);
  expect(await tags.updateMany({ filters: { slug: "none" }, data: { name: "T" } })).toEqual([]);
  expect(await tags.deleteMany({ filters: { slug: "none" } })).toEqual([]);
});

test("a documentId that is missing means no document, and not the first one or a new one", async () => {
  await tags.create({ data: { name: "Tea", slug: "tea" } });
  const some = loose("api::tag.tag");
  for (const documentId of [undefined, null, 5]) {
    // As code that is not checked may do.
    const missing = documentId as unknown as string;
    for (const work of [
      () => some.findOne(missing),
      () => some.update(missing, { data: { name: "Milk", slug: "milk" } }),
      () => some.delete(missing),
    ]) {
      await expect(work()).rejects.toThrow("A document of api::tag.tag is named by its documentId");
    }
  }
  expect(await tags.find({ fields: ["name"] })).toMatchObject([{ name: "Tea" }]);
});
