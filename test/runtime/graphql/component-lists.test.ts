/** Lists in components: each is cut on its own, and leads to versions in the locale of the document that holds it. */
import { afterAll, expect, test } from "vitest";
import { at, textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const app = await exampleApp(afterAll, await exampleDatabase(), {
  locales: { default: "en", codes: ["en", "de"] },
  graphql: { format: "flat" },
});
const token = await app.token();

const write = async (method: string, path: string, data: object) => {
  const answer = await app.send(method, `/api/${path}`, { token, body: { data } });
  expect([200, 201], answer.text).toContain(answer.status);
  return textAt(answer.body, "data.documentId");
};

const list = (heading: string, ...articles: unknown[]) => ({ __component: "blocks.articles", heading, articles });

test("lists of articles in a zone are cut one by one, by what is there in the locale of the page", async () => {
  const [tea, milk, rum, gin] = await Promise.all(
    ["tea", "milk", "rum", "gin"].map((slug) => write("POST", "articles", { title: `${slug} en`, slug })),
  );
  for (const [slug, documentId] of Object.entries({ tea, milk, rum, gin })) {
    await write("PUT", `articles/${documentId}?locale=de`, { title: `${slug} de`, slug });
  }
  const sections = [list("one", milk, rum, tea), list("two", gin, tea, rum)];
  await write("PUT", "homepage", { title: "Home", sections });
  await write("PUT", "homepage?locale=de", { title: "Heim", sections });
  await app.send("DELETE", `/api/articles/${milk}?locale=de`, { token });
  const ask = async (locale: string, cut: string) => {
    const query = `{ homepage(locale: "${locale}") { sections { ... on ComponentBlocksArticles { articles(${cut}) { title } } } } }`;
    const { body } = await app.graphql(query, {}, { token });
    return Object(at(body, "data.homepage.sections")).map(({ articles }: { articles: { title: string }[] }) =>
      articles.map(({ title }) => title),
    );
  };
  expect(await ask("en", "pagination: { limit: 2 }")).toEqual([
    ["milk en", "rum en"],
    ["gin en", "tea en"],
  ]);
  expect(await ask("de", "pagination: { start: 1, limit: 1 }")).toEqual([["tea de"], ["tea de"]]);
  expect(await ask("de", 'sort: "title:desc", pagination: { limit: 1 }')).toEqual([["tea de"], ["tea de"]]);
  expect(await ask("de", 'filters: { slug: { ne: "tea" } }, pagination: { limit: 1 }')).toEqual([
    ["rum de"],
    ["gin de"],
  ]);
});
