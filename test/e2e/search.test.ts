/** Full-text search and locales to fall back to over GraphQL, of a generated project that `cms start` serves. */
import { expect, test } from "vitest";
import { cmsOutput, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { useServer } from "../support/project.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const i18n = { pluginOptions: { i18n: { localized: true } } };

const page = JSON.stringify({
  info: { singularName: "page", pluralName: "pages", displayName: "page" },
  options: { search: { weights: { title: "A" } } },
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

const connect = async (root: string, token: string) => {
  const { url } = await serve(root);
  const post = async (address: string, body: object) => {
    const sent = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/${address}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
    return JSON.parse(await answer.text());
  };
  return {
    post,
    ask: (query: string) => post("graphql", { query }),
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
    await flat.post("api/pages", {
      data: { title: "Houses", kind: "guide", grade: "high", sections: [{ __component: "shared.part", body }] },
    });
    await flat.post("api/pages", { data: { title: "River", kind: "news" } });
    await flat.post("api/pages?locale=de", { data: { title: "Häuser" } });

    expect(await flat.ask(`{ pages_connection(${ASKED}) { nodes { title } ${TOLD} } }`)).toEqual({
      data: { pages_connection: { nodes: [{ title: "River" }, { title: "Houses" }], search: { snippets, facets } } },
    });
    const found = async (args: string) => (await flat.ask(`{ pages(${args}) { title locale } }`)).data?.pages;
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
