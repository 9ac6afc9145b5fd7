/** Versions as the page on history shows them: over REST, GraphQL and the client; carried along by migrations. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, repository, run, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { copyExample } from "../support/packed.ts";
import { typeCheck, workspace, writeFiles } from "../support/workspace.ts";

const [option = "", entry = "", replacing = ""] = (await blocksOf("build/history.md"))
  .filter(({ language }) => language === "json")
  .map(({ text }) => text);

/** Changes a JSON file below the schema files. */
const change = async (root: string, name: string, by: (text: string) => string): Promise<void> => {
  const file = path.join(root, "content-types", `${name}.json`);
  await writeFile(file, by(await readFile(file, "utf8")));
};

const PROGRAM = `import { createClient } from "./generated/client/index.ts";

const [url = "", token = "", documentId = ""] = process.argv.slice(2);
const cms = createClient({ url, token });
const { data: versions } = await cms.articles.findVersions({ documentId }, { status: "draft" });
const version = versions.at(-1)?.id ?? 0;
const { data, meta } = await cms.articles.findVersion({ documentId, version }, { populate: ["sections"] });
const title: string | null = data.title;
const { data: differences } = await cms.articles.compareVersions({ documentId, version });
const { data: restored } = await cms.articles.restoreVersion({ documentId, version }, { data: { slug: "again" } });
const { data: deleted } = await cms.articles.findDeleted();
const { data: home } = await cms.homepage.findVersions({});
// @ts-expect-error categories have no versions
void cms.categories.findVersions;
console.log(JSON.stringify([title, meta.gone, differences.map(({ attribute }) => attribute), restored.slug, deleted, home.length]));
`;

const dataOf = (answer: unknown) => Object(answer).data;

test("versions are read over REST, GraphQL and the client, and migrations carry them along", async () => {
  const root = workspace();
  await copyExample(root);
  for (const name of ["article", "homepage"])
    await change(root, `${name}/schema`, (text) => JSON.stringify({ ...JSON.parse(text), ...optionsOf(text) }));
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"])).trim();
  let { url, stop } = await serve(root);
  const send = async (method: string, place: string, data?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(url + place, { method, headers, ...(data ? { body: JSON.stringify(data) } : {}) });
    return response.json();
  };
  const sections = [{ __component: "blocks.quote", text: "Said" }];
  const values = { title: "One", slug: "one", excerpt: "Short", featured: true, sections };
  const { documentId } = dataOf(await send("POST", "/api/articles?status=draft", { data: values }));
  const where = `/api/articles/${documentId}`;
  await send("PUT", `${where}?status=draft`, { data: { title: "Two", excerpt: "Other", sections: [] } });
  await send("PUT", "/api/homepage", { data: { title: "Welcome" } });
  const [second, first] = dataOf(await send("GET", `${where}/versions`));
  expect(Object.keys(second)).toEqual(Object.keys(JSON.parse(entry)));
  const query = `query ($id: ID!, $version: Int!) {
    articleVersions(id: $id) { id action changed gone }
    articleVersion(id: $id, version: $version) { data { id attributes { title sections { ... on ComponentBlocksQuote { text } } } } }
    articleVersionDifference(id: $id, version: $version)
    deletedArticles { id }
  }`;
  const asked = await send("POST", "/graphql", { query, variables: { id: documentId, version: first.id } });
  expect(asked).toMatchObject({
    data: {
      articleVersions: [
        { action: "update", changed: ["excerpt", "sections", "title"], gone: [] },
        { action: "create" },
      ],
      articleVersion: { data: { id: documentId, attributes: { title: "One", sections: [{ text: "Said" }] } } },
      articleVersionDifference: [{ attribute: "title", from: "One", to: "Two" }, {}, {}],
      deletedArticles: [],
    },
  });
  const restoring = `mutation ($id: ID!, $version: Int!) {
    restoreArticleVersion(id: $id, version: $version) { data { attributes { title publishedAt } } }
  }`;
  expect(
    await send("POST", "/graphql", { query: restoring, variables: { id: documentId, version: first.id } }),
  ).toEqual({
    data: { restoreArticleVersion: { data: { attributes: { title: "One", publishedAt: null } } } },
  });
  expect(await send("POST", `${where}/versions/${first.id}/restore`, JSON.parse(replacing))).toMatchObject({
    data: { title: "One", slug: "another-slug" },
  });
  writeFiles(root, [["use.ts", PROGRAM]]);
  expect((await typeCheck(root, ["use.ts"])).stdout).toBe("");
  const used = await run(path.join(repository, "node_modules/.bin/jiti"), ["use.ts", url, token, documentId], {
    cwd: root,
  });
  expect(JSON.parse(used.stdout)).toEqual(["One", [], ["slug"], "again", [], 2]);
  await stop();

  await change(root, "article/schema", (text) => {
    const { excerpt, featured: _featured, ...attributes } = JSON.parse(text).attributes;
    const summary = { ...excerpt, renamedFrom: "excerpt" };
    return JSON.stringify({ ...JSON.parse(text), attributes: { ...attributes, summary } });
  });
  await change(root, "components/blocks/quote", (text) =>
    text.replace('"text": {', '"words": { "renamedFrom": "text",'),
  );
  await cmsOutput(root, ["generate", "--allow", "drop:article.featured"]);
  await cmsOutput(root, ["migrate"]);
  ({ url, stop } = await serve(root));
  expect(await send("GET", `${where}/versions/${first.id}?populate=sections`)).toMatchObject({
    data: { title: "One", summary: "Short", sections: [{ __component: "blocks.quote", words: "Said" }] },
    meta: { gone: [{ path: "featured", reason: "attribute" }] },
  });
  expect(dataOf(await send("GET", `${where}/versions`)).at(-2)).toMatchObject({
    changed: ["sections", "summary", "title"],
  });
  await stop();
  await cmsOutput(root, ["migrate", "down"]);
}, 120_000);

/** The options of a type with those of the page. */
const optionsOf = (text: string): object => ({
  options: { ...JSON.parse(text).options, ...JSON.parse(`{${option}}`).options },
});
