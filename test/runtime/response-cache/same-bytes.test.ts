/** A stored answer is the one that Hono gives, whatever is asked and however. */
import { expect, test } from "vitest";
import example from "../../../generated/index.ts";
import { everyone } from "../../../runtime/http/rest/index.ts";
import { textAt } from "../../support/auth-app.ts";
import { cachedAndNot } from "../../support/cached-and-not.ts";

/** Numbers that are the same in every run. */
const numbers = (): ((below: number) => number) => {
  let state = 7;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

test("repeated reads get the answers that Hono gives, to the last byte of head and body", async () => {
  const { send, token, bothAnswer, hits } = await cachedAndNot({
    rest: { cacheControl: { public: { "api::tag.tag": "public, max-age=60" } } },
    server: { compression: true, cors: { origins: ["https://example.com"] } },
  });
  const secret = await token();
  const create = async (path: string, data: object): Promise<string> =>
    textAt((await send("POST", path, { token: secret, body: { data } })).body, "data.documentId");
  const tag = await create("/api/tags", { name: "Tag", slug: "tag" });
  const author = await create("/api/authors", { name: 'Jürgen "J" <b>', slug: "juergen" });
  const body = [{ type: "paragraph", children: [{ type: "text", text: "Many words. ".repeat(200) }] }];
  const article = await create("/api/articles", { title: "Title", slug: "title", author, tags: [tag], body });
  const known = (await send("GET", `/api/tags/${tag}`)).headers.get("etag") ?? "";

  const paths = [
    "/api/tags",
    "/api/articles",
    `/api/tags/${tag}`,
    `/api/articles/${article}`,
    `/api/authors/${author}`,
    "/api/tags/nothing",
    `/api/tags/${tag}/more`,
    `/api/tags/${tag.toUpperCase()}`,
    "/api/tags/",
    "/API/tags",
    "/api//tags",
    "/api/../api/tags",
    "/api/tags/%61",
    "/api/homepage",
    "/api/nothing",
  ];
  const queries = [
    "",
    "?",
    "?populate=*",
    "?populate[author]=true&populate[tags]=true",
    "?populate%5Btags%5D=true",
    "?fields[0]=slug&status=draft",
    "?status=published",
    "?filters[name][$eq]='a'",
    "?filters[slug][$contains]=t&sort=id:desc&pagination[pageSize]=2",
    "?filters[nothing]=1",
    "?pagination[page]=-1",
    "?locale=xx",
    "?a=1#b",
    "?a=%zz",
    `?filters[slug]=${"x".repeat(3000)}`,
  ];
  const headers = [
    "",
    "Accept-Encoding: gzip\r\n",
    "Accept-Encoding: identity;q=1, *;q=0\r\nAccept-Encoding: br\r\n",
    `If-None-Match: ${known}\r\n`,
    `If-None-Match: "a"\r\nIf-None-Match: ${known.slice(2)}\r\n`,
    "Origin: https://example.com\r\n",
    "Origin: https://other.example\r\n",
    "Origin:   https://example.com  \r\nOrigin: b\r\n",
    "Strapi-Response-Format: v4\r\n",
    `Authorization: Bearer ${secret}\r\n`,
    "Authorization: Bearer nonsense\r\n",
    `Authorization: Basic x\r\nAuthorization: Bearer ${secret}\r\n`,
    "Content-Length: 0\r\n",
    "Cookie: a=b\r\n",
    "Access-Control-Request-Method: GET\r\nOrigin: https://example.com\r\n",
  ];
  const hosts = ["Host: localhost", "Host: localhost:1337", "Host: EXAMPLE.com:80", "Host: a b", "Host: a:99999"];
  const methods = ["GET", "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "PATCH"];
  const next = numbers();
  const of = (list: readonly string[]): string => list[next(list.length)] ?? "";
  const rarely = (list: readonly string[]): string => (next(4) === 0 ? of(list) : (list[0] ?? ""));
  const heads = paths.flatMap((path) =>
    queries.map((query) => {
      const version = next(20) === 0 ? "1.0" : "1.1";
      return `${of(methods)} ${path}${query} HTTP/${version}\r\n${rarely(hosts)}\r\n${of(headers)}`;
    }),
  );
  const more = paths
    .slice(1, 4)
    .flatMap((path) => headers.map((header) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}`));
  for (const [place] of [...heads, ...more].entries()) {
    if (place % 15 === 0)
      await Promise.all([...heads, ...more].slice(place, place + 15).map((head) => bothAnswer(head)));
  }
  expect(hits()).toBeGreaterThan(50);
});

test("what code of the project has a part in is not stored: its routes, handlers, middlewares, policies and queries", async () => {
  const seen: string[] = [];
  const note = (name: string): void => void seen.push(name);
  const { isCached, hits, bothAnswer, send, token } = await cachedAndNot(
    {},
    {
      ...example,
      extensions: {
        "api::tag.tag": {
          routes: (router) => router.get("/tags/special", everyone(), (c) => c.json({ special: true })),
          rest: { policies: { findOne: [() => note("policy")] } },
        },
        "api::author.author": {
          rest: {
            middlewares: {
              findOne: [
                async (c, next) => {
                  note("middleware");
                  c.header("Set-Cookie", `seen=${seen.length}`);
                  await next();
                },
              ],
            },
            queries: { find: () => ({ sort: (note("query"), "id:desc") }) },
          },
        },
        "api::category.category": {
          routes: (router) => router.get("/categories/:slug", everyone(), (c) => c.text("mine")),
          rest: { handlers: { find: (next) => (c) => (note("handler"), next(c)) } },
        },
      },
    },
  );
  const secret = await token();
  const create = async (path: string): Promise<string> =>
    textAt(
      (await send("POST", path, { token: secret, body: { data: { name: "A", slug: "a" } } })).body,
      "data.documentId",
    );
  const [tag, author] = [await create("/api/tags"), await create("/api/authors")];
  const cached = async (target: string): Promise<boolean> => isCached(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n`);
  expect([await cached("/api/tags"), await cached("/api/tags?sort=id")]).toEqual([true, true]);
  const own = [`/api/tags/${tag}`, "/api/tags/special", `/api/authors/${author}`, "/api/authors", "/api/categories/x"];
  for (const target of [...own, "/api/categories"]) expect([target, await cached(target)]).toEqual([target, false]);
  for (const name of ["policy", "middleware", "query", "handler"])
    expect([name, seen.filter((each) => each === name).length]).toEqual([name, 4]);
  const before = hits();
  expect(await bothAnswer("GET /api/tags/special HTTP/1.1\r\nHost: localhost\r\n")).toContain('{"special":true}');
  expect(hits()).toBe(before);
});

test("with a middleware of the project around everything nothing is stored", async () => {
  const { isCached } = await cachedAndNot(
    {},
    { ...example, extensions: { "api::tag.tag": { routes: (router) => router.use("*", (_c, next) => next()) } } },
  );
  expect(await isCached("GET /api/tags HTTP/1.1\r\nHost: localhost\r\n")).toBe(false);
});
