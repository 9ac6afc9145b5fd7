/** Generates projects of any size for measurements: their content types have everything that real ones have. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const write = (file: string, content: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
};

const attributesOf = (number: number, types: number) => {
  const relation = (kind: string, distance: number) => ({
    type: "relation",
    relation: kind,
    target: `api::item-${(number + distance) % types}.item-${(number + distance) % types}`,
  });
  return {
    title: { type: "string", required: true, maxLength: 120 },
    slug: { type: "uid", targetField: "title" },
    summary: { type: "text" },
    body: { type: "blocks" },
    data: { type: "json" },
    kind: { type: "enumeration", enum: ["news", "opinion", "review"], default: "news" },
    rating: { type: "integer", min: 0, max: 5 },
    price: { type: "decimal" },
    featured: { type: "boolean", default: false },
    publishedOn: { type: "date" },
    startsAt: { type: "datetime" },
    contact: { type: "email", private: true },
    cover: { type: "media", allowedTypes: ["images"] },
    gallery: { type: "media", multiple: true },
    previous: relation("manyToOne", 1),
    partner: relation("oneToOne", 7),
    related: relation("manyToMany", 2),
    seo: { type: "component", component: "shared.seo" },
    quotes: { type: "component", component: "shared.quote", repeatable: true },
    sections: { type: "dynamiczone", components: ["shared.seo", "shared.quote"] },
  };
};

const contentType = (number: number, types: number) => ({
  kind: "collectionType",
  collectionName: `items_${number}`,
  info: { singularName: `item-${number}`, pluralName: `items-${number}`, displayName: `Item ${number}` },
  options: { draftAndPublish: number % 2 === 0 },
  pluginOptions: { i18n: { localized: number % 3 === 0 } },
  attributes: attributesOf(number, types),
});

/**
 * Writes the schema files of content types with 20 attributes each to `content-types` below `root`; returns the folder.
 */
export const makeProject = (root: string, types: number): string => {
  const folder = path.join(root, "content-types");
  for (let number = 0; number < types; number++) {
    write(path.join(folder, `item-${number}`, "schema.json"), contentType(number, types));
  }
  for (const name of ["seo", "quote"]) {
    write(path.join(folder, "components", "shared", `${name}.json`), {
      collectionName: `components_shared_${name}s`,
      info: { displayName: name },
      attributes: { text: { type: "text", required: true }, image: { type: "media" } },
    });
  }
  return folder;
};
