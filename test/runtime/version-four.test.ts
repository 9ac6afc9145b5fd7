/** `rest.format: "v4"`: what sites of version 4 send is taken and answered as they know it, and gives nobody more. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Database } from "../../runtime/database/database.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { type Answer, textAt } from "../support/auth-app.ts";
import { freshDatabase } from "../support/database.ts";
import { type ExampleApp, exampleApp } from "../support/example-app.ts";
import { served } from "../support/served-app.ts";

const ARTICLE = "api::article.article";
const rules = { public: { [ARTICLE]: "public, max-age=60" } };

let database: Database;
let app: ExampleApp;
let token: string;

const get = (path: string, as: string | null = token): Promise<Answer> =>
  app.send("GET", `/api${path}`, as === null ? {} : { token: as });
const send = (method: string, path: string, data?: object): Promise<Answer> =>
  app.send(method, `/api${path}`, { token, ...(data ? { body: { data } } : {}) });
/** The number that an answer names its document by. */
const numberIn = ({ body }: Answer): number => z.object({ data: z.object({ id: z.number() }) }).parse(body).data.id;

/** The numbers of articles in an answer. */
const ids = (answer: Answer): unknown => {
  const found = /"data":(\[.*\]),"meta"/.exec(answer.text)?.[1] ?? "[]";
  return [...found.matchAll(/\{"id":(\d+),"attributes":\{"title"/g)].map(([, id]) => Number(id));
};

beforeAll(async () => {
  database = await freshDatabase("pglite", afterAll);
  await migrate(database, "generated/migrations");
  const whole = await exampleApp(afterAll, database, {
    rest: { format: "v4", cacheControl: rules },
    cache: { enabled: true },
    locales: { default: "en", codes: ["en", "de"] },
  });
  app = await served(whole, afterAll);
  token = await app.token();
});

test("a document is created, read, changed and deleted by its number", async () => {
  const author = numberIn(await send("POST", "/authors", { name: "Ada", slug: "ada", email: "ada@example.com" }));
  const sections = [
    { __component: "blocks.text", body: "One" },
    { __component: "blocks.gallery", caption: "Two" },
  ];
  const made = await send("POST", "/articles", { title: "Sea", slug: "sea", author, sections });
  expect(made.status).toBe(200);
  const id = numberIn(made);
  expect(made.body).toMatchObject({ data: { id, attributes: { title: "Sea", locale: "en" } }, meta: {} });
  expect(textAt(made.body, "data.attributes.publishedAt")).toMatch(/^2/);

  // Names that are not there, empty options and a zone without `on` are no faults; what is private stays so.
  const populate =
    "populate[author][populate]=&populate[author][fields]=&populate[gone]=true&populate[sections][populate][images]=*&populate[gallery]=*";
  const read = await get(`/articles/${id}?${populate}`);
  expect(read.body).toMatchObject({
    data: {
      attributes: {
        author: { data: { id: author, attributes: { name: "Ada" } } },
        sections: [
          { __component: "blocks.text", body: "One" },
          { __component: "blocks.gallery", images: { data: null } },
        ],
        gallery: { data: null },
      },
    },
  });
  expect(read.text).not.toMatch(/documentId|ada@example.com/);
  expect((await get("/articles?populate=author.gone,nobody")).text).toContain('"author":{"data":{"id"');
  expect((await get("/articles?filters[author][email]=ada@example.com")).status).toBe(400);

  const changed = await send("PUT", `/articles/${id}`, { title: "Sea and sky" });
  expect(changed).toMatchObject({ status: 200, body: { data: { id, attributes: { title: "Sea and sky" } } } });
  expect((await get(`/articles/${id}`)).body).toMatchObject({ data: { attributes: { title: "Sea and sky" } } });
  const german = numberIn(await send("PUT", `/articles/${id}?locale=de`, { title: "See", slug: "see" }));
  expect(german).toBe(id);

  const gone = await send("DELETE", `/articles/${id}`);
  expect(gone).toMatchObject({ status: 200, body: { data: { id, attributes: { title: "See" } } } });
  expect((await send("DELETE", `/articles/${id}`)).status).toBe(404);
  expect((await get(`/articles/${id}`)).status).toBe(404);
  expect((await get("/articles/99999999999")).status).toBe(404);
});

test("an entry is a draft as long as `publishedAt` is null, and previews show it with what is published", async () => {
  const draft = numberIn(await send("POST", "/articles", { title: "Draft", slug: "draft", publishedAt: null }));
  const live = numberIn(await send("POST", "/articles", { title: "Live", slug: "live" }));
  const german = numberIn(await send("POST", "/articles", { title: "Lebend", slug: "lebend", locale: "de" }));
  expect(ids(await get("/articles?sort=id"))).toEqual([live]);
  expect(ids(await get("/articles?publicationState=live&sort=id"))).toEqual([live]);
  expect(ids(await get("/articles?publicationState=preview&sort=id"))).toEqual([draft, live]);
  expect(ids(await get("/articles?publicationState=live&locale=all&sort=id"))).toEqual([live, german]);
  expect((await get(`/articles/${draft}`)).status).toBe(404);
  expect((await get(`/articles/${draft}?publicationState=preview`)).body).toMatchObject({ data: { id: draft } });
  // What refine's data provider asks for several records.
  const several = `/articles?publicationState=preview&locale=all&filters[id][$in][0]=${live}&filters[id][$in][1]=${german}`;
  expect(ids(await get(`${several}&filters[id][$in][2]=99999999&sort=id`))).toEqual([live, german]);
  // A number stands for a document in one locale.
  expect((await get(`/articles/${german}?locale=en`)).body).toMatchObject({ data: { id: german } });

  expect(numberIn(await send("PUT", `/articles/${draft}`, { title: "Still a draft" }))).toBe(draft);
  expect((await get(`/articles/${draft}`)).status).toBe(404);
  const published = numberIn(await send("PUT", `/articles/${draft}`, { publishedAt: new Date().toISOString() }));
  expect((await get(`/articles/${draft}`)).body).toMatchObject({ data: { id: published } });
  expect((await send("PUT", `/articles/${published}`, { publishedAt: null })).status).toBe(200);
  expect((await get(`/articles/${published}`)).status).toBe(404);
  for (const id of [draft, live, german]) expect((await send("DELETE", `/articles/${id}`)).status).toBe(200);
});

test("nobody sees more by it: drafts take their permission, and numbers that of the document", async () => {
  const id = numberIn(await send("POST", "/articles", { title: "Secret", slug: "secret", publishedAt: null }));
  const finder = await app.token(`${ARTICLE}.find`, `${ARTICLE}.findOne`, `${ARTICLE}.update`, `${ARTICLE}.delete`);
  for (const path of ["/articles?publicationState=preview", `/articles/${id}?publicationState=preview`]) {
    expect((await get(path, finder)).status).toBe(403);
    expect((await get(path, null)).status).toBe(403);
  }
  expect((await get(`/articles/${id}`, finder)).status).toBe(404);
  const update = await app.send("PUT", `/api/articles/${id}`, { token: finder, body: { data: { title: "Mine" } } });
  expect([update.status, update.text]).toEqual([200, expect.not.stringContaining("Mine")]);
  const deleted = await app.send("DELETE", `/api/articles/${id}`, { token: finder });
  expect([deleted.status, deleted.body]).toEqual([200, { data: null, meta: {} }]);
});

test("answers are stored for each format, and none that shows drafts for everybody", async () => {
  await app.allowPublic(`${ARTICLE}.find`, `${ARTICLE}.findOne`, `${ARTICLE}.readDraft`);
  const live = numberIn(await send("POST", "/articles", { title: "Live", slug: "live" }));
  const draft = numberIn(await send("POST", "/articles", { title: "Draft", slug: "draft", publishedAt: null }));
  const formats = [{}, { "strapi-response-format": "v5" }, { "strapi-response-format": "v4" }];
  const paths = [
    "/articles",
    `/articles/${live}`,
    "/articles?publicationState=preview",
    `/articles/${draft}?publicationState=preview`,
  ];
  const ask = async (): Promise<readonly (readonly unknown[])[]> => {
    const all = [];
    for (const path of paths) {
      for (const headers of formats) {
        const { status, text, headers: received } = await app.send("GET", `/api${path}`, { headers });
        all.push([path, headers, status, text, received.get("cache-control")]);
      }
    }
    return all;
  };
  const first = await ask();
  for (let turn = 0; turn < 2; turn += 1) expect(await ask()).toEqual(first);
  const before = app.services.responseCache?.hits ?? 0;
  expect(await ask()).toEqual(first);
  expect((app.services.responseCache?.hits ?? 0) - before).toBeGreaterThan(4);
  expect(first[0]).toEqual(["/articles", {}, 200, expect.stringContaining('"attributes"'), rules.public[ARTICLE]]);
  expect(first[1]).toEqual([
    "/articles",
    formats[1],
    200,
    expect.stringMatching(/^(?!.*"attributes")/),
    rules.public[ARTICLE],
  ]);
  expect(first[4]?.slice(0, 3)).toEqual([`/articles/${live}`, formats[1], 404]);
  expect(first[6]).toEqual([paths[2], {}, 200, expect.stringContaining("Draft"), "private, no-cache"]);
  expect(first[7]?.slice(0, 3)).toEqual([paths[2], formats[1], 400]);
  await send("PUT", `/articles/${live}`, { title: "Changed" });
  const again = await get(`/articles/${live}`, null);
  expect(again.body).toMatchObject({ data: { attributes: { title: "Changed" } } });
});

test("roles show the actions of version 4, and a client that sends them back takes no others away", async () => {
  const { body } = await app.send("GET", "/api/users-permissions/roles", { token });
  const role = z
    .object({ roles: z.array(z.object({ id: z.number(), type: z.string() }).loose()) })
    .parse(body)
    .roles.find(({ type }) => type === "public");
  expect(Object.keys(role ?? {})).not.toContain("documentId");
  await app.allowPublic(`${ARTICLE}.find`, `${ARTICLE}.readDraft`);
  const path = `/api/users-permissions/roles/${role?.id}`;
  const shown = (await app.send("GET", path, { token })).body;
  const actions = z
    .object({ role: z.object({ permissions: z.record(z.string(), z.unknown()) }).loose() })
    .parse(shown).role;
  expect(actions.permissions[ARTICLE.split(".")[0] ?? ""]).toMatchObject({
    controllers: { article: { find: { enabled: true }, createLocalization: { enabled: false } } },
  });
  expect(JSON.stringify(actions.permissions)).not.toContain("readDraft");
  expect((await app.send("PUT", path, { token, body: actions })).status).toBe(200);
  expect((await get("/articles?publicationState=preview", null)).status).toBe(200);
});

test("drafts that are shown unasked are not for caches, and not for whoever asks for what is live", async () => {
  const whole = await exampleApp(onTestFinished, database, {
    rest: { format: "v4", cacheControl: rules, drafts: "find" },
    cache: { enabled: true },
  });
  const site = await served(whole, onTestFinished);
  await site.allowPublic(`${ARTICLE}.find`, `${ARTICLE}.findOne`);
  const live = numberIn(await send("POST", "/articles", { title: "Live", slug: "live-2" }));
  const draft = numberIn(await send("POST", "/articles", { title: "Draft", slug: "draft-2", publishedAt: null }));
  const seen = async (path: string, as: object = {}): Promise<readonly unknown[]> => {
    const { status, headers } = await site.send("GET", `/api/articles/${path}`, as);
    return [status, headers.get("cache-control")];
  };
  const stranger = { token: await site.token(`${ARTICLE}.find`) };
  for (let turn = 0; turn < 4; turn += 1) {
    expect(await seen(`${draft}`)).toEqual([200, "private, no-cache"]);
    expect(await seen(`${live}`)).toEqual([200, "private, no-cache"]);
    expect(await seen(`${draft}`, stranger)).toEqual([403, null]);
    expect(await seen(`${draft}`, { headers: { "strapi-response-format": "v5" } })).toEqual([404, null]);
    for (const name of ["publicationState", "[publicationState]", "publication%53tate"]) {
      expect(await seen(`${draft}?${name}=live`)).toEqual([404, null]);
      expect(await seen(`${live}?${name}=live`)).toEqual([200, rules.public[ARTICLE]]);
      expect(await seen(`${draft}?${name}=preview`)).toEqual([200, "private, no-cache"]);
    }
    expect(await seen("")).toEqual([200, rules.public[ARTICLE]]);
  }
});
