/** Integrations of frameworks that ask this server for content: their own code, from the registry. */
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "../../test/support/cms.ts";
import { magazine, type Magazine, npm, serveSite } from "./site.ts";

const STORIES = 12;

/**
 * The Astro loader follows relations until it comes back to an attribute where it has been, by the name of the other
 * side: of a relation of a type to itself that has no other side it never finds the end.
 */
const withOtherSides = async (root: string): Promise<void> => {
  const file = path.join(root, "content-types/article/schema.json");
  const schema = JSON.parse(await readFile(file, "utf8"));
  const relation = { type: "relation", relation: "manyToMany", target: "api::article.article" };
  schema.attributes.related = { ...relation, inversedBy: "relatedTo" };
  schema.attributes.relatedTo = { ...relation, mappedBy: "related" };
  await writeFile(file, JSON.stringify(schema));
  await rm(path.join(root, "generated"), { recursive: true });
};

let server: Magazine;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await magazine(withOtherSides);
  env = { ...server.env, CMS_TOKEN: await server.cms("token", "create", "--name", "loader", "--type", "full-access") };
});
afterAll(() => server.stop());

/** Installs what a folder beside this file asks for, and has it load the content. */
const load = async (name: string): Promise<{ readonly folder: string; readonly output: string }> => {
  const folder = path.join(server.root, name);
  await cp(path.join(repository, "examples/test", name), folder, { recursive: true });
  // Peers that are whole frameworks of their own: what is run of the packages does not use them.
  await npm(folder, env, "install", "--no-audit", "--no-fund", "--legacy-peer-deps");
  return { folder, output: await npm(folder, env, "run", "--silent", "load") };
};

test("gatsby-source-strapi makes nodes of documents, entries of components and files, the same again", async () => {
  const { output } = await load("gatsby");
  const { first, again, nodes } = JSON.parse(output.slice(output.indexOf('{"first"')));
  expect(first).toMatchObject({ STRAPI_ARTICLE: STORIES, STRAPI_AUTHOR: 4, STRAPI_HOMEPAGE: 1 });
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(["STRAPI__MEDIA", "STRAPI__COMPONENT_BLOCKS_QUOTE", "STRAPI__COMPONENT_SHARED_SEO"]),
  );
  expect(again).toEqual(first);
  expect(nodes).toContainEqual(
    expect.objectContaining({ title: "The last rope walk", cover___NODE: expect.any(String) }),
  );
}, 600_000);

test("two loaders of Astro make collections, one of them with schemas from what the server declares", async () => {
  const { folder } = await load("astro");
  const { articles, global, tags } = JSON.parse(await readFile(path.join(folder, "dist/loaded.json"), "utf8"));
  expect(articles).toHaveLength(STORIES);
  expect(articles).toContainEqual(
    expect.objectContaining({
      data: expect.objectContaining({
        title: "The last rope walk",
        cover: expect.objectContaining({ mime: "image/webp" }),
        author: expect.objectContaining({ name: "Ida Brandt" }),
      }),
    }),
  );
  expect(global).toMatchObject([{ data: { siteName: "Quayside", logo: { ext: ".png" } } }]);
  expect(tags.length).toBeGreaterThan(2);
}, 600_000);

test("@nuxtjs/strapi reads lists and single types and logs in while a page is rendered", async () => {
  const { folder } = await load("nuxt");
  const { url } = await serveSite(folder, env, "/");
  const page = await (await fetch(url)).text();
  expect(page).toContain("<h1>Quayside, ada</h1>");
  expect(page.match(/<p>/g)).toHaveLength(STORIES);
  expect(page).toContain("The last rope walk by Ida Brandt");
}, 600_000);
