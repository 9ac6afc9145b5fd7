import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { article, author, category, comment } from "./content.ts";
import { seed } from "./seed.ts";
import { createWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
  world = await createWorld(await freshDatabase("postgres"));
  await seed(world.database);
});

const titles = async (query: string) => (await world.many(article, `fields=title&${query}`)).map(({ title }) => title);

test("a document shows its scalars in their wire forms, and nothing hidden", async () => {
  expect(await world.one(article, "a1")).toEqual({
    id: 2,
    documentId: "a1",
    title: "First",
    slug: "first",
    body: null,
    rating: 5,
    views: "9007199254740993",
    price: 12.5,
    score: 0.5,
    featured: true,
    day: "2020-02-29",
    clock: "09:00:00",
    moment: "2020-01-01T10:00:00.500Z",
    stamp: "1577836800000",
    extra: { b: 1, a: [1, 2] },
    createdAt: "2020-01-02T03:04:05.006Z",
    updatedAt: "2020-01-02T03:04:05.006Z",
    publishedAt: "2020-01-02T03:04:05.006Z",
    locale: "en",
  });
});

test("lists hold the published versions of the default locale", async () => {
  expect(await titles("")).toEqual(["First", "Second", "Third"]);
  expect(await titles("status=draft")).toEqual(["First draft"]);
  expect(await titles("locale=fr")).toEqual(["Premier"]);
  expect(await titles("locale=*")).toEqual(["First", "Premier", "Second", "Third"]);
  expect(await titles("filters[locale]=fr")).toEqual(["Premier"]);
});

const names = (item: unknown) =>
  JSON.stringify(item)
    .match(/"(name|title)":"[^"]*"/g)
    ?.join();

test("relations lead to the version of the request's status and locale", async () => {
  const query = "fields=title&populate[categories][fields]=name&populate[author][fields]=name";
  expect(names(await world.one(article, "a1", query))).toBe('"title":"First","name":"Leaf","name":"Root","name":"Ann"');
  expect(names(await world.one(article, "a1", `${query}&status=draft`))).toBe(
    '"title":"First draft","name":"Root draft","name":"Ann"',
  );
  expect(names(await world.one(article, "a1", "fields=title&populate[related][fields]=title&locale=fr"))).toBe(
    '"title":"Premier","title":"Premier"',
  );
  expect(names(await world.one(category, "leaf", "fields=name&populate[articles][fields]=title"))).toBe(
    '"name":"Leaf","title":"Second","title":"First","title":"Premier"',
  );
  expect(names(await world.one(author, "ann", "fields=name&populate[articles][fields]=title"))).toBe(
    '"name":"Ann","title":"First","title":"Premier"',
  );
  expect(names(await world.one(author, "ann", "fields=name&populate=deputy"))).toBe('"name":"Ann","name":"Bob"');
  expect(await world.one(article, "a1", "fields=title&populate[localizations][fields]=title")).toMatchObject({
    localizations: [{ title: "Premier" }],
  });
});

test("media, components and zones are completed, and private parts of them left out", async () => {
  const item = await world.one(
    article,
    "a1",
    "fields=title&populate[cover][fields]=name&populate[gallery][fields]=name&populate[seo][populate]=*&populate[links][populate]=*&populate[sections][populate]=*",
  );
  expect(item).toMatchObject({
    cover: { id: 1, documentId: "file1", name: "one.png" },
    gallery: [{ name: "two.png" }, { name: "one.png" }],
    seo: {
      id: 11,
      title: "Seo",
      image: { name: "two.png", formats: { thumbnail: { width: 1 } } },
      images: [{ name: "two.png" }, { name: "one.png" }],
      topics: [{ name: "Leaf" }, { name: "Root" }],
      links: [{ id: 12, label: "x", amount: 1 }],
    },
    links: [
      { id: 13, label: "b", icon: { name: "one.png" }, owner: { name: "Ann" } },
      { id: 14, label: "a", icon: null, owner: null },
    ],
    sections: [
      { __component: "blocks.quote", id: 15, text: "Q" },
      { __component: "blocks.hero", image: { name: "one.png" }, cta: { label: "go" } },
    ],
  });
  expect(JSON.stringify(item)).not.toMatch(/"(url|by|key|safe)":(?!"\/uploads)|gold/);
  const files = "fields=title&populate[cover]";
  expect(await world.one(article, "a1", `${files}=*`)).toEqual(await world.one(article, "a1", `${files}=true`));
});

test("relations to any type say what they lead to", async () => {
  const query =
    "populate[mentions][on][api::article.article][fields]=title&populate[mentions][on][api::author.author][fields]=name";
  expect(await world.one(comment, "c1", query)).toMatchObject({
    mentions: [
      { title: "First", __type: "api::article.article" },
      { name: "Bob", __type: "api::author.author" },
    ],
  });
  expect(await world.one(comment, "c1", "populate=subject")).toMatchObject({
    subject: { title: "First", __type: "api::article.article" },
  });
  expect(await world.one(comment, "c2", "populate=subject,mentions")).toMatchObject({
    subject: null,
    mentions: [{ title: "First" }],
  });
  expect(await world.one(article, "a1", "fields=title&populate=comments,remarks")).toMatchObject({
    comments: [{ content: "one" }, { content: "two" }],
    remarks: [{ content: "one" }],
  });
});

test.each([
  ["rating=5", ["First"]],
  ["rating[$ne]=5", ["Second"]],
  ["rating[$null]=true", ["Third"]],
  ["title[$containsi]=IR", ["First", "Third"]],
  ["author[name]=Ann", ["First"]],
  ["author[$null]=true", ["Third"]],
  ["author=2", ["Second"]],
  ["categories[name][$in][]=Root", ["First"]],
  ["categories[$null]=true", ["Third"]],
  ["categories[name]=Unpublished", []],
  ["$not[categories][name]=Leaf", ["First"]],
  ["cover[name]=one.png", ["First"]],
  ["cover[id][$null]=true", ["Second", "Third"]],
  ["gallery[name]=two.png", ["First"]],
  ["seo[title]=Seo", ["First"]],
  ["seo[image][name]=two.png", ["First"]],
  ["seo[topics][name]=Root", ["First"]],
  ["seo[links][owner][name]=Bob", ["First"]],
  ["links[amount][$gt]=5", ["First"]],
  ["links[$null]=true", ["Second", "Third"]],
  ["seo[$notNull]=true", ["First"]],
  ["comments[content]=two", ["First"]],
  ["views=9007199254740993", ["First"]],
  ["rating[$ne][]=0&filters[rating][$ne][]=99", ["First", "Second"]],
  ["title[$notContains][]=irs&filters[title][$notContains][]=econ", ["First", "Second", "Third"]],
  ["title[$not][]=First&filters[title][$not][]=Second", ["First", "Second", "Third"]],
  ["title[$not][$in][]=First&filters[title][$not][$in][]=Second", ["Third"]],
  ["rating[$gt]", []],
  ["rating[$notIn]", []],
  ["title[$contains]", []],
  ["title=First&filters[title][$eq]=Second", ["First"]],
  ["price[$between][]=12&filters[price][$between][]=13", ["First"]],
  ["related[author][name]=Ann", ["Second"]],
  ['extra[$jsonSupersetOf]={"b":1}', ["First"]],
  ["localizations[id][$null]=true", ["Second", "Third"]],
  ["localizations[$null]=true", ["Second", "Third"]],
  ["localizations[documentId][$notNull]=true", ["First"]],
  ["localizations[locale]=fr", ["First"]],
  ["localizations[locale]=en", []],
  ["localizations[locale][$ne]=fr", []],
  ["localizations[title]=First", []],
  ["$not[localizations][locale]=de", ["First", "Second", "Third"]],
  ["$not[localizations][locale]=fr", ["Second", "Third"]],
  ["$not[localizations][id][$null]=true", ["First"]],
  ["$not[$not][localizations][locale]=fr", ["First"]],
  ["$or[0][localizations][title]=Premier&filters[$or][1][title]=Third", ["First", "Third"]],
  ["related[localizations][locale]=fr", ["Second"]],
  ["featured=true&filters[day]=2020-02-29&filters[clock]=09:00:00&filters[moment]=2020-01-01T10:00:00.5Z", ["First"]],
])("filters[%s]", async (filter, expected) => {
  const [name, ...rest] = filter.split(/(?=[[=])/);
  expect(await titles(`filters[${name}]${rest.join("")}`)).toEqual(expected);
});

test("the translations of a version are those of its own status", async () => {
  expect(await titles("status=draft&filters[localizations][id][$null]=true")).toEqual(["First draft"]);
  expect(await titles("locale=*&filters[localizations][id][$notNull]=true")).toEqual(["First", "Premier"]);
  expect(await titles("locale=fr&filters[localizations][locale]=en")).toEqual(["Premier"]);
  // A sort examines the own locale, too.
  expect(await titles("sort=localizations.title:desc")).toEqual(["Third", "Second", "First"]);
});

test("a type without drafts is filtered by drafts only for callers who may read them", async () => {
  const query = "filters[articles][title]=First draft";
  expect(await world.many(author, query)).toHaveLength(1);
  const published = { kind: "public" as const, can: (action: string) => !action.endsWith(".readDraft") };
  expect(await world.many(author, query, published)).toHaveLength(0);
});

test.each([
  ["title:desc", ["Third", "Second", "First"]],
  ["rating", ["Second", "First", "Third"]],
  ["rating:desc", ["Third", "First", "Second"]],
  ["author.name:desc", ["Third", "Second", "First"]],
  ["categories.position:desc", ["Third", "First", "Second"]],
  ["categories.name", ["First", "Second", "Third"]],
  ["seo.title", ["First", "Second", "Third"]],
  ["links.amount:desc,id:desc", ["Third", "Second", "First"]],
  ["related.author.name,title", ["Second", "First", "Third"]],
])("sort=%s", async (sort, expected) => {
  expect(await titles(`sort=${sort}`)).toEqual(expected);
});

const links = (query: string) => world.one(article, "a1", `fields=title&${query}`);

test("entries of components are filtered and sorted at any depth", async () => {
  expect(await links("populate[links][sort]=label")).toMatchObject({ links: [{ label: "a" }, { label: "b" }] });
  expect(await links("populate[links][filters][amount][$gt]=5")).toMatchObject({ links: [{ label: "a" }] });
  expect(await links("populate[links][filters][owner][name]=Ann")).toMatchObject({ links: [{ label: "b" }] });
  expect(await links("populate[seo][populate][links][filters][label]=y")).toMatchObject({ seo: { links: [] } });
  expect(await links("populate[sections][on][blocks.hero][populate][cta][filters][label]=no")).toMatchObject({
    sections: [{ cta: null }],
  });
});

test("populate counts, filters and sorts", async () => {
  expect(
    await world.one(
      article,
      "a1",
      "fields=title&populate[categories][count]=true&populate[author][count]=1&populate[gallery][count]=true",
    ),
  ).toMatchObject({
    categories: { count: 2 },
    author: { count: 1 },
    // Files are listed where they should be counted.
    gallery: expect.any(Array),
  });
  expect(await world.one(article, "a1", "fields=title&populate[categories][sort]=name:desc")).toMatchObject({
    categories: [{ name: "Root" }, { name: "Leaf" }],
  });
  expect(await world.one(article, "a1", "fields=title&populate[categories][filters][name]=Root")).toMatchObject({
    categories: [{ name: "Root" }],
  });
});

test("the search looks into texts and numbers that may be seen", async () => {
  expect(await titles("_q=FIRS")).toEqual(["First"]);
  expect(await titles("_q=12.5")).toEqual(["First"]);
  expect(await titles("_q=s3cret")).toEqual([]);
});

test.each([
  ["never-published", "draft", []],
  ["has-published-version", "draft", ["First draft"]],
  ["unmodified", "published", ["First"]],
  ["modified", "published", []],
  ["published-without-draft", "published", ["Second", "Third"]],
  ["published-with-draft", "published", ["First"]],
])("publicationFilter=%s of %s", async (filter, status, expected) => {
  expect(await titles(`publicationFilter=${filter}&status=${status}`)).toEqual(expected);
});

test("totals count what the filters match", async () => {
  expect(await world.total(article, "pagination[pageSize]=1")).toBe(3);
  expect(await world.total(article, "filters[author][name]=Ann&pagination[page]=9")).toBe(1);
  expect(await world.total(article, "pagination[withCount]=false")).toBeUndefined();
});
