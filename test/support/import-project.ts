/** A project whose content comes from an export: pages in two locales, with drafts, relations, components and files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AtEnd, cmsOutput } from "./cms.ts";
import { freshPostgresUrl } from "./database.ts";
import { writeFiles } from "./workspace.ts";

const localized = { pluginOptions: { i18n: { localized: true } } };

const page = {
  kind: "collectionType",
  collectionName: "pages",
  info: { singularName: "page", pluralName: "pages", displayName: "Page" },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: "string", required: true, ...localized },
    slug: { type: "uid", ...localized },
    views: { type: "biginteger" },
    stamp: { type: "timestamp" },
    summary: { type: "text", required: true, ...localized },
    cover: { type: "media", allowedTypes: ["images", "files"] },
    author: { type: "relation", relation: "manyToOne", target: "api::writer.writer", inversedBy: "pages" },
    related: { type: "relation", relation: "oneToMany", target: "api::page.page" },
    mentions: { type: "relation", relation: "morphToMany" },
    sections: { type: "dynamiczone", components: ["blocks.hero", "blocks.quote"], ...localized },
  },
};

const writer = {
  kind: "collectionType",
  collectionName: "writers",
  info: { singularName: "writer", pluralName: "writers", displayName: "Writer" },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: "string" },
    secret: { type: "string", private: true },
    pages: { type: "relation", relation: "oneToMany", target: "api::page.page", mappedBy: "author" },
  },
};

const hero = {
  collectionName: "heroes",
  info: { displayName: "Hero" },
  attributes: {
    heading: { type: "string" },
    picture: { type: "media", allowedTypes: ["images", "files"] },
    by: { type: "relation", relation: "oneToOne", target: "api::writer.writer" },
  },
};

const quote = { collectionName: "quotes", info: { displayName: "Quote" }, attributes: { text: { type: "text" } } };

const schemaFiles: readonly (readonly [string, object])[] = [
  ["content-types/page/schema.json", page],
  ["content-types/writer/schema.json", writer],
  ["content-types/components/blocks/hero.json", hero],
  ["content-types/components/blocks/quote.json", quote],
];

const config = `import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "fr"] },
  rest: { drafts: "find" },
});
`;

/** What exports say of the types: with an attribute that the project has no more. */
export const exportedSchemas = [
  { uid: "api::page.page", ...page, attributes: { ...page.attributes, gone: { type: "string" } } },
  { uid: "api::writer.writer", ...writer },
  { uid: "blocks.hero", modelType: "component", ...hero },
  { uid: "blocks.quote", modelType: "component", ...quote },
];

/** Makes the project with its code generated, on a database that is empty. */
export const generatedImportProject = async (atEnd: AtEnd): Promise<string> => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-import-"));
  atEnd(() => rm(root, { recursive: true, force: true }));
  writeFiles(root, [
    ["cms.config.ts", config],
    ...schemaFiles.map(([file, schema]): [string, string] => [file, JSON.stringify(schema)]),
  ]);
  await cmsOutput(root, ["generate"]);
  return root;
};

/** Gives the project an empty database on a server, with its tables; returns the address. */
export const freshTables = async (root: string, atEnd: AtEnd): Promise<string> => {
  const url = await freshPostgresUrl(atEnd);
  await writeFile(path.join(root, ".env"), `DATABASE_URL=${url}\n`);
  await cmsOutput(root, ["migrate"]);
  return url;
};
