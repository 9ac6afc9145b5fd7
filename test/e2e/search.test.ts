/** Full-text search and locales to fall back to over GraphQL, of a generated project that `cms start` serves. */
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { listPath, searches, searchPath } from "../../examples/documentation/searches.ts";
import { cmsOutput, repository, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { openMeilisearch } from "../support/meilisearch.ts";
import { useServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const i18n = { pluginOptions: { i18n: { localized: true } } };

const page = JSON.stringify({
  info: { singularName: "page", pluralName: "pages", displayName: "page" },
  options: { draftAndPublish: true, search: { weights: { title: "A" } } },
  ...i18n,
  attributes: {
    title: { type: "string", ...i18n },
    kind: { type: "enumeration", enum: ["guide", "news"], ...i18n },
    grade: { type: "enumeration", enum: ["low", "high"], private: true, ...i18n },
    sections: { type: "dynamiczone", components: ["shared.part"], ...i18n },
  },
});

const part = JSON.stringify({ info: { displayName: "part" }, attributes: { body: { type: "text" } } });

const note = JSON.stringify({
  info: { singularName: "note", pluralName: "notes", displayName: "note" },
  options: { search: true },
  attributes: { part: { type: "component", component: "shared.guarded" } },
});

// A type that is named as an object of searches.
const named = JSON.stringify({
  info: { singularName: "search-meta", pluralName: "search-metas", displayName: "search meta" },
  attributes: { title: { type: "string" } },
});

const app = `import { defineApp } from "galley-cms";

export default defineApp({
  register({ graphql }) {
    graphql.use(() => ({ resolversConfig: { "ComponentSharedGuarded.body": { policies: [() => true] } } }));
  },
});
`;

const settings = (
  graphql: object,
  search: object,
  fallback?: object,
): string => `import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: ${JSON.stringify({ default: "en", codes: ["en", "de"], fallback })},
  search: ${JSON.stringify(search)},
  graphql: ${JSON.stringify(graphql)},
});
`;

const FLAT = settings({ format: "flat" }, { engine: "postgres" }, {});

const built = async (): Promise<{ readonly root: string; readonly token: string }> => {
  const root = workspace();
  writeFiles(root, [
    ["content-types/page/schema.json", page],
    ["content-types/note/schema.json", note],
    ["content-types/search-meta/schema.json", named],
    ["content-types/components/shared/part.json", part],
    ["content-types/components/shared/guarded.json", part],
    ["content-types/app.ts", app],
    ["cms.config.ts", FLAT],
  ]);
  await useServer(root);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"])).trim();
  return { root, token };
};

const connect = async (root: string, token: string, env: Readonly<Record<string, string>> = {}) => {
  const { url, stop } = await serve(root, env);
  const request = async (method: string, address: string, body?: object, from = token) => {
    const headers = { "content-type": "application/json", ...(from ? { authorization: `Bearer ${from}` } : {}) };
    const answer = await fetch(`${url}/${address}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    stop,
    send: (method: string, address: string, data?: object, from?: string) =>
      request(method, `api/${address}`, data && { data }, from),
    ask: (query: string) => request("POST", "graphql", { query }),
  };
};

const facets = [
  {
    name: "kind",
    values: [
      { value: "guide", count: 1 },
      { value: "news", count: 1 },
    ],
  },
];
const snippets = [expect.stringContaining("<mark>River</mark>"), expect.stringContaining("<mark>river</mark>")];
const ASKED = `_q: "river", sort: ["_score"], facets: ["kind"], snippets: true`;
const TOLD = "search { snippets facets { name values { value count } } }";

test(
  "GraphQL searches and falls back in both formats, where the configuration says so",
  { timeout: 120_000 },
  async () => {
    const { root, token } = await built();
    const flat = await connect(root, token);
    const body = "A house by the river";
    await flat.send("POST", "pages", {
      title: "Houses",
      kind: "guide",
      grade: "high",
      sections: [{ __component: "shared.part", body }],
    });
    await flat.send("POST", "pages", { title: "River", kind: "news" });
    await flat.send("POST", "pages?locale=de", { title: "Häuser" });

    expect(await flat.ask(`{ pages_connection(${ASKED}) { nodes { title } ${TOLD} } }`)).toEqual({
      data: { pages_connection: { nodes: [{ title: "River" }, { title: "Houses" }], search: { snippets, facets } } },
    });
    const found = async (args: string) => (await flat.ask(`{ pages(${args}) { title locale } }`)).data?.pages;
    expect(await flat.ask("{ searchMetas { title } }")).toEqual({ data: { searchMetas: [] } });
    expect(await found(`_q: "houses"`)).toEqual([{ title: "Houses", locale: "en" }]);
    expect(await found(`_q: "Haus", locale: "de"`)).toEqual([{ title: "Häuser", locale: "de" }]);
    expect(await found(`_q: "river", locale: "de", fallback: ["en"]`)).toHaveLength(2);
    expect(await found(`locale: "de"`)).toHaveLength(1);
    const [{ documentId }] = (await flat.ask(`{ pages(_q: "houses") { documentId } }`)).data.pages;
    const one = (args: string) =>
      flat.ask(`{ page(documentId: "${documentId}", locale: "de"${args}) { title locale } }`);
    expect(await one("")).toEqual({ data: { page: null } });
    expect(await one(`, fallback: "en"`)).toEqual({ data: { page: { title: "Houses", locale: "en" } } });
    for (const [args, fault] of [
      [`facets: ["grade"]`, "Invalid key grade"],
      [`fallback: ["xx"]`, "Unknown locale supplied"],
      [`sort: "_score"`, "Invalid key _score"],
    ])
      expect(JSON.stringify(await flat.ask(`{ pages_connection(${args}) { ${TOLD} } }`))).toContain(fault);

    const forbidden = { errors: [{ message: "Forbidden access" }] };
    expect(await flat.ask(`{ notes(_q: "river") { documentId } }`)).toMatchObject(forbidden);

    writeFiles(root, [["cms.config.ts", settings({}, { engine: "postgres" })]]);
    await cmsOutput(root, ["generate"]);
    const entity = await connect(root, token);
    const shown = (await blocksOf("build/search.md")).find(({ language }) => language === "graphql");
    expect(await entity.ask(shown?.text ?? "")).toMatchObject({
      data: {
        pages: {
          data: [{ attributes: { title: "River" } }, { attributes: { title: "Houses" } }],
          search: { snippets, facets },
        },
      },
    });
    expect(JSON.stringify(await entity.ask(`{ pages(fallback: "en") { data { id } } }`))).toContain("Unknown argument");
  },
);

const OUTSIDE = `import { defineConfig, meilisearch } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "de"] },
  events: {},
  fields: { public: { "api::page.page": ["title"] } },
  permissions: { public: ["api::page.page.find"] },
  search: { engine: meilisearch({ url: process.env.MEILI_URL ?? "", key: "a key", prefix: "site-" }) },
});
`;

test("an engine outside finds what is published, and the database says who sees it", { timeout: 120_000 }, async () => {
  const { root, token } = await built();
  const before = await connect(root, token);
  const body = "A house by the river";
  const { data } = await before.send("POST", "pages", {
    title: "Houses",
    kind: "guide",
    grade: "high",
    sections: [{ __component: "shared.part", body }],
  });
  const address = `pages/${data.documentId}`;
  await before.stop();

  const engine = await openMeilisearch("a key", onTestFinished);
  writeFiles(root, [["cms.config.ts", OUTSIDE]]);
  const env = { MEILI_URL: engine.url };
  for (const command of [["generate"], ["migrate"], ["permissions", "apply"]]) await cmsOutput(root, command, env);
  const { send, ask } = await connect(root, token, env);
  const texts = (): unknown => engine.texts("site-api--page_page");
  // What was written before is sent when the server starts.
  await vi.waitFor(
    () => expect(texts()).toEqual({ [`${data.documentId}-en`]: { title: "Houses", kind: "guide", sections: body } }),
    SOON,
  );
  await send("POST", "pages", { title: "River", kind: "news" });
  await send("PUT", `${address}?locale=de`, { title: "Häuser am Fluss" });
  await send("POST", "pages?status=draft", { title: "A draft of a river" });
  await vi.waitFor(() => expect(Object.keys(Object(texts()))).toHaveLength(3), SOON);

  const titles = async (query: string, from = token): Promise<unknown> => {
    const { data: found, meta } = await send("GET", `pages?${query}`, undefined, from);
    expect(meta.pagination.total).toBe(found.length);
    return found.map(({ title }: { title: string }) => title);
  };
  expect(await titles("_q=rivr")).toEqual(["Houses", "River"]);
  expect(await titles("_q=rivr&sort=_score")).toEqual(["River", "Houses"]);
  expect(await titles("_q=river&filters[kind]=guide")).toEqual(["Houses"]);
  expect(await titles("_q=fluss&locale=de")).toEqual(["Häuser am Fluss"]);
  expect(await titles("_q=fluss")).toEqual([]);
  expect(await ask(`{ pages(_q: "rivr", sort: "_score") { data { attributes { title } } } }`)).toMatchObject({
    data: { pages: { data: [{ attributes: { title: "River" } }, { attributes: { title: "Houses" } }] } },
  });
  expect(await send("GET", "pages?_q=river&sort=_score&snippets=true&facets=kind")).toMatchObject({
    meta: { search: { snippets, facets: { kind: [{ value: "guide" }, { value: "news" }] } } },
  });

  // Whoever does not see all that the engine knows is answered by the database, and so are drafts.
  const asked = engine.words.length;
  expect(await titles("_q=rivr&status=draft")).toEqual([]);
  expect(await titles("_q=river&status=draft")).toHaveLength(3);
  expect(await titles("_q=river&locale=*")).toHaveLength(2);
  expect(await titles("_q=river", "")).toEqual(["River"]);
  expect(engine.words).toHaveLength(asked);

  await send("PUT", address, { title: "Castles", sections: [] });
  await vi.waitFor(async () => expect(await titles("_q=castles")).toEqual(["Castles"]), SOON);
  expect(await titles("_q=river")).toEqual(["River"]);
  await send("DELETE", `${address}?locale=*`);
  await vi.waitFor(() => expect(Object.keys(Object(texts()))).toHaveLength(1), SOON);
  engine.close();
  expect(await send("GET", "pages?_q=river")).toMatchObject({ error: { status: 503 } });
  expect(await titles("_q=river", "")).toEqual(["River"]);
});

const found = z.object({
  data: z.array(z.looseObject({ title: z.string() })),
  meta: z.object({
    pagination: z.looseObject({ total: z.number() }),
    search: z.object({ snippets: z.array(z.string()).optional() }).optional(),
  }),
});

test("a documentation site is searched in English and German", { timeout: 120_000 }, async () => {
  const root = workspace(path.join(repository, "examples", "documentation"));
  await useServer(root);
  for (const args of [["generate"], ["migrate"], ["permissions", "apply"]]) await cmsOutput(root, args);
  const PAGES = 50;
  await cmsOutput(root, ["seed"], { PAGES: String(PAGES) });
  const { url } = await serve(root);
  const read = async (address: string) => {
    const asked = address.includes("snippets=true") ? address : `${address}&snippets=true`;
    return found.parse(await (await fetch(`${url}${asked}`)).json());
  };
  for (const search of searches) {
    const { data, meta } = await read(searchPath(search));
    const marked = (meta.search?.snippets ?? []).map((html) =>
      [...html.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word),
    );
    expect([search.words, marked.filter((words) => words.length > 0)]).toEqual([
      search.words,
      data.map(() => expect.anything()),
    ]);
    for (const word of marked.flat()) expect(word).toMatch(search.marked);
    const all = await read(listPath(search));
    expect(all.meta.pagination.total).toBeGreaterThanOrEqual(meta.pagination.total);
    expect(meta.pagination.total).toBeGreaterThan(0);
  }
  const tree = await (await fetch(`${url}/api/pages?filters[slug]=page-0&populate[children][fields]=slug`)).json();
  expect(tree.data[0].children).toHaveLength(10);
});
