import { expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { HttpError } from "../../../runtime/base/errors.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import { createQueries, prepare, readMany, type ReadServices } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { emptyDatabase } from "../../support/services.ts";
import { application, article, author } from "./content.ts";
import { reader } from "./world.ts";

const servicesWith = (input: ConfigInput): ReadServices => {
  const config = configSchema.parse(input);
  return { config, database: emptyDatabase(), queries: createQueries(createRegistry(application), config, "a secret") };
};

interface Asked {
  readonly type?: typeof article;
  readonly caller?: Caller;
  readonly rest?: ConfigInput["rest"];
  readonly limits?: ConfigInput["limits"];
  readonly single?: boolean;
}

/** The status, message and details that a query string is refused with; undefined when it is not. */
const refusal = async (
  query: string,
  { type = article, caller = reader, rest = {}, limits = {}, single = false }: Asked = {},
) => {
  const services = servicesWith({ rest, limits });
  try {
    prepare({ services, caller }, type, query, single);
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, message: error.message, details: error.details };
  }
};

const list = (length: number): string =>
  Array.from({ length }, (_, index) => `filters[rating][$in][]=${index}`).join("&");

test("lists have a limit, and beyond it they are refused rather than ignored", async () => {
  expect(await refusal(list(100))).toBeUndefined();
  expect(await refusal(list(101))).toMatchObject({ status: 400, details: { path: "rating", param: "filters" } });
});

test("the limit of lists is that of the configuration", async () => {
  const rest = { arrayLimit: 300 };
  expect(await refusal(list(300), { rest })).toBeUndefined();
  expect(await refusal(list(301), { rest })).toMatchObject({
    status: 400,
    message: "Invalid filters parameter at rating. A list may have 300 entries (rest.arrayLimit)",
  });
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("a filter on %s is refused", async (key) => {
  expect(await refusal(`filters[${key}]=x`)).toMatchObject({ status: 400, message: `Invalid key ${key}` });
  expect(await refusal(`filters[author][${key}][x]=1`)).toMatchObject({ status: 400 });
});

test("unknown parameters are refused, unless parameters are lenient", async () => {
  expect(await refusal("foo=1")).toEqual({
    status: 400,
    message: "Invalid key foo",
    details: { key: "foo", path: null, source: "query", param: "foo" },
  });
  expect(await refusal("foo=1", { rest: { strictParams: false } })).toBeUndefined();
  const message = "The pagination parameter must be an object";
  const lenient = await refusal("pagination=[object Object]", { rest: { strictParams: false } });
  expect(lenient).toMatchObject({ status: 400, message });
});

test.each([
  ["limit=1", "limit", "pagination[limit]"],
  ["start=1", "start", "pagination[start]"],
  ["page=1", "page", "pagination[page]"],
  ["count=true", "count", undefined],
  ["filter[title]=x", "filter", "filters"],
  ["pagination[pagesize]=1", "pagesize", "pageSize"],
  ["pagination[foo]=1", "foo", undefined],
  ["pagination=1", "pagination", undefined],
])("%s is refused rather than ignored", async (query, key, meant) => {
  const { status, message, details } = (await refusal(query)) ?? {};
  expect({ status, details }).toMatchObject({ status: 400, details: query === "page=1" ? {} : { key } });
  if (meant !== undefined && query !== "page=1") expect(message).toContain(`Did you mean "${meant}"?`);
  if (query !== "page=1") expect(await refusal(query, { rest: { strictParams: false } })).toBeUndefined();
});

test.each(["pagination[page]=1", "_q=x", "pagination[foo]=1", "page=1"])(
  "%s is refused for one document",
  async (query) => {
    expect(await refusal(query, { single: true })).toMatchObject({ status: 400 });
    expect(await refusal(query, { single: true, rest: { strictParams: false } })).toBeUndefined();
  },
);

test.each([
  "filters[title][$contains]=%00",
  "filters[title]=a%00b",
  "filters[title][$in][]=x&filters[title][$in][]=%ED%A0%80",
  "filters[author][name][$ne]=%FF",
  "filters[extra][$jsonSupersetOf]=%7B%22a%22%3A%22%ED%A0%80%22%7D",
  "filters[$or][0][seo][title]=%C3%28",
  "locale=%00",
  "locale[]=fr&locale[]=%ED%BF%BF",
  "_q=%00",
  "_q=%F0%9F",
  "sort=%00",
  "sort[title]=%00",
  "fields=%00",
  "populate=%00",
  "populate[author][filters][name]=%00",
  "pagination[page]=%00",
  "pagination[after]=%FF",
  "status=%00",
])("%s is no text that can be compared", async (query) => {
  const hostile = decodeURIComponent(query.split("&").at(-1)?.split("=")[0] ?? "");
  for (const rest of [{}, { strictParams: false }]) {
    const { status, message } = (await refusal(query, { rest })) ?? {};
    expect(status).toBe(400);
    expect(message).toContain(`Invalid value at ${hostile}.`);
  }
});

test.each(["a\0b", "\uD800", "x\uDC00"])("code cannot compare with %j either", async (text) => {
  const services = servicesWith({});
  for (const raw of [
    { filters: { title: text } },
    { filters: { seo: { title: { $containsi: [text] } } } },
    { _q: text },
    { locale: text },
  ])
    expect(() => prepare({ services, caller: reader, code: true }, article, raw, false)).toThrow(/^Invalid value at /);
});

test("status and locale words are checked, unless parameters are lenient", async () => {
  for (const query of ["status=old", "status=", "locale=a%20b", `locale=${"a-".repeat(30)}a`]) {
    expect(await refusal(query), query).toMatchObject({ status: 400 });
    expect(await refusal(query, { rest: { strictParams: false } }), query).toBeUndefined();
  }
});

test("drafts need a permission of their own, unless who may find may read them", async () => {
  const caller: Caller = { kind: "public", can: (action) => !action.endsWith(".readDraft") };
  expect(await refusal("status=draft", { caller })).toMatchObject({ status: 403 });
  expect(await refusal("status=draft", { caller, rest: { drafts: "find" } })).toBeUndefined();
  expect(await refusal("status=draft", { caller, type: author })).toBeUndefined();
});

test("a query string that was checked for one caller is checked anew for another", async () => {
  const services = servicesWith({});
  const query = "filters[vaults][name]=gold";
  const all: Caller = { kind: "token", can: () => true };
  await readMany({ services, caller: all }, article, query);
  await expect(readMany({ services, caller: reader }, article, query)).rejects.toThrow("Invalid key vaults");
});

const nested = (depth: number): string =>
  `populate[author][populate][articles]${"[populate][author][populate][articles]".repeat(depth)}=true`;

test("the depth of populate and the size of a query are bounded", async () => {
  expect(await refusal(nested(1), { rest: { populateDepth: 4 } })).toBeUndefined();
  expect(await refusal(nested(2), { rest: { populateDepth: 4 } })).toMatchObject({ status: 400 });
  const many = "populate=author,cover,gallery,categories&filters[author][name]=x&sort=author.name";
  expect(await refusal(many, { rest: { planSize: 6 } })).toBeUndefined();
  expect(await refusal(many, { rest: { planSize: 5 } })).toMatchObject({ status: 400 });
});

test("a query costs what it reads: components and zones are in their row, and share what they lead to", async () => {
  const icons = [
    "populate[seo][populate][links][populate]=icon",
    "populate[links][populate]=icon",
    "populate[sections][on][blocks.hero][populate][cta][populate]=icon",
    "populate[sections][on][blocks.quote]=true",
  ].join("&");
  expect(await refusal(icons, { rest: { planSize: 1 } })).toBeUndefined();
  const more = `${icons}&populate[author]=true&populate[cover]=true`;
  expect(await refusal(more, { rest: { planSize: 3 } })).toBeUndefined();
  expect(await refusal(more, { rest: { planSize: 2 } })).toMatchObject({
    status: 400,
    message: "Invalid query. It reads 3 relations and media, and may read 2 (rest.planSize)",
  });
});

/** `name[a][b]` out of `a.b`. */
const keyed = (name: string, path: string): string => `${name}[${path.replaceAll(".", "][")}]`;

test.each([
  ["sort", "sort=categories.name", "sort=categories.articles.rating", "categories.articles"],
  ["sort", "sort=author.articles.author.name", "sort=author.articles.categories.name", "author.articles.categories"],
  ["sort", "sort[categories][name]=asc", "sort[categories][articles][rating]=asc", "categories.articles"],
  ["sort", "sort=categories.name,title", "sort=categories.name,categories.position", "categories"],
  [
    "filters",
    `${keyed("filters", "categories.articles.categories.name")}=x`,
    `${keyed("filters", "categories.articles.categories.articles.title")}=x`,
    "categories.articles.categories.articles",
  ],
  [
    "filters",
    `${keyed("filters", "$or.0.categories.articles.$and.0.categories.name")}=x`,
    `${keyed("filters", "$or.0.categories.articles.$and.0.categories.articles.id")}=1`,
    "categories.articles.categories.articles",
  ],
])("the %s of a query leads through a few to-many relations only", async (param, modest, greedy, path) => {
  const limits = { sortSteps: 1 };
  expect(await refusal(modest, { limits })).toBeUndefined();
  const key = path.split(".").at(-1);
  expect(await refusal(greedy, { limits })).toMatchObject({
    status: 400,
    details: { key, path, source: "query", param },
  });
  expect(await refusal(greedy, { limits: { sortSteps: 9, filterSteps: 9 } })).toBeUndefined();
});

test.each([
  ["sort", (index: number) => `sort[${index}]=categories.name`, 2, "categories"],
  ["filters", (index: number) => `${keyed("filters", `$or.${index}.categories.articles.title`)}=x`, 15, "categories"],
])("all %s of a query lead through so many to-many relations together", async (param, part, most, key) => {
  const asked = (count: number) => Array.from({ length: count }, (_, index) => part(index)).join("&");
  expect(await refusal(asked(most))).toBeUndefined();
  expect(await refusal(asked(most + 1))).toMatchObject({ status: 400, details: { key, source: "query", param } });
  expect(await refusal(asked(most + 1), { limits: { sortSteps: 9, filterSteps: 9 } })).toBeUndefined();
});

const nestedForm = (path: string) => `${keyed("populate", path.replaceAll(".", ".populate."))}=true`;

test("so does populate, in each of its forms", async () => {
  const limits = { populateSteps: 2 };
  for (const form of [(path: string) => `populate=${path}`, nestedForm]) {
    expect(await refusal(form("categories.articles.author"), { limits })).toBeUndefined();
    expect(await refusal(form("categories.articles.categories"), { limits })).toMatchObject({
      status: 400,
      details: { key: "categories", path: expect.stringContaining("categories.articles"), param: "populate" },
    });
  }
});

const either = (count: number) =>
  Array.from({ length: count }, (_, index) => `filters[$or][${index}][title]=${index}`).join("&");

test("the conditions of a query are bounded, and the values that it lists, however they are nested", async () => {
  const limits = { conditions: 4, listValues: 4 };
  expect(await refusal(either(3), { limits })).toBeUndefined();
  expect(await refusal(either(5), { limits })).toMatchObject({
    status: 400,
    message: "Invalid filters parameter. It has more than 4 conditions (limits.conditions)",
  });
  expect(await refusal(`${keyed("filters", "$not.$not.$not.$not.title")}=x`, { limits })).toMatchObject({
    status: 400,
  });
  for (const operator of ["$in", "$eq", "$containsi", "$notIn"]) {
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => `filters[title][${operator}][]=${index}`).join("&");
    expect(await refusal(words(4), { limits })).toBeUndefined();
    expect(await refusal(words(5), { limits })).toMatchObject({
      status: 400,
      details: { key: "title", path: "title" },
    });
  }
});

test("queries of code are as long as code makes them", async () => {
  const services = servicesWith({ limits: { listValues: 1 } });
  const filters = { categories: { articles: { categories: { articles: { title: { $in: ["a", "b"] } } } } } };
  await expect(readMany({ services, caller: reader, code: true }, article, { filters })).resolves.toBeDefined();
});

test.each([
  ["filters[rating]=x", "Invalid value at rating. Expected a number"],
  ["filters[rating]=1.5", "Invalid value at rating. Expected an integer of at most 32 bits"],
  ["filters[rating][$lt]=99999999999", "Invalid value at rating. Expected an integer of at most 32 bits"],
  ["filters[views]=1.5", "Invalid value at views. Expected an integer of at most 64 bits"],
  ["filters[day][$between]=x", "Invalid format, expected yyyy-MM-dd"],
  ["filters[0][title]=x", "The filters parameter must be an object"],
  ["filters[author][$not][$eq]=1", "Invalid key $not at author"],
  ["filters[author][id][$foo]=1", "Invalid key $foo at author"],
  ["filters[cover][folderPath]=/", "Invalid key folderPath at cover.folderPath"],
  ["sort[author]=asc", "Invalid key asc at author"],
  ["sort=author:desc", "Invalid key desc at author"],
  ["populate[author]=articles", "Invalid key articles at author.articles"],
  ["populate[author][]=articles", "Invalid key articles at author.articles"],
  ["populate[author][]", "Invalid nested populate. Expected '*' or an object"],
  ["populate[author][populate]=nope", "Invalid key nope"],
  ["populate[author][populate]=articles,boss", "Invalid key articles,boss at author"],
  ["populate[author][ordering]=x", "Invalid key ordering at author"],
  ["populate[author][on]=x", "Invalid key on at author.on"],
  ["populate[author][id]=1", "Invalid key id at author"],
  ["populate=cover.name", "Invalid key cover"],
  ["populate[sections][on][blocks.hero]=cta", "Invalid key cta at sections.cta"],
  ["populate[sections][on][blocks.hero][foo]=1", "Invalid key foo at sections"],
  ["populate[sections][on][]=blocks.hero", "Invalid key 0 at sections.on.0"],
  ["pagination[page][a]=1", "convertStartQueryParams expected a positive integer got NaN"],
  ["_q[a]=x", "Invalid _q parameter. Expected a text"],
  ["filters[rating][$between][]=1", "Invalid $between at rating. Expected two values"],
  ["filters[rating][$contains]=1", "Invalid operator at rating. $contains needs a text attribute"],
  ["filters[rating][$in][100]=1", "Invalid filters parameter at rating. A list may have 100 entries (rest.arrayLimit)"],
  ["filters[rating][$in][x]=1", "Invalid key x at rating"],
  ["filters[$or][100][rating]=1", "Invalid filters parameter. A list may have 100 entries (rest.arrayLimit)"],
  [`${"sort[]=id&".repeat(1000)}filters[rating]=1`, "Invalid query. It may have 1000 parameters"],
  ["filters[$or]=x", "$or must be an array of filters"],
  ["filters[extra][$jsonSupersetOf]={", "Invalid value at extra. Expected JSON"],
  ["filters[author][$eq]=1&filters[author][name]=x", "Invalid key name at author"],
  ["filters[moment]=2020-13-01T00:00:00Z", "Invalid format, expected a timestamp or an ISO date"],
  ["filters[day]=2020-02-30", "Invalid format, expected yyyy-MM-dd"],
  ["filters[clock]=24:00:00", "Invalid time format, expected HH:mm:ss.SSS"],
  ["populate[categories][count]=maybe", "Invalid key count at categories"],
  ["pagination[page]=1&pagination[limit]=1", "Cannot use both page & offset pagination in the same query"],
])("%s is a 400 that says what is wrong", async (query, message) => {
  expect(await refusal(query)).toMatchObject({ status: 400, message });
});

test.each([
  "filters",
  "filters[$not]",
  "sort[title]=",
  "sort[author][name]",
  "sort=title: desc",
  "fields[]",
  "populate=,author,",
  "populate=author.",
  "populate[0]=author&populate[categories]=true",
  "populate[sections][on][shared.seo]=true",
  "populate[sections][on]",
  "pagination[start]",
  "pagination[limit][a]=1",
])("%s is accepted", async (query) => {
  expect(await refusal(query)).toBeUndefined();
});
