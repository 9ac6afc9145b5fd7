/**
 * The project whose lists grow: notes with relations of every kind, some evenly distributed and some skewed, and guides
 * for full-text search, whose text stands in a dynamic zone.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const relation = (kind: string, target: string) => ({
  type: "relation",
  relation: kind,
  target: `api::${target}.${target}`,
});

const schemas = {
  note: {
    title: { type: "string", required: true },
    body: { type: "text" },
    views: { type: "integer" },
    writer: { ...relation("manyToOne", "writer"), inversedBy: "notes" },
    category: { ...relation("manyToOne", "category"), inversedBy: "notes" },
    tags: { ...relation("manyToMany", "tag"), inversedBy: "notes" },
    topics: { ...relation("manyToMany", "topic"), inversedBy: "notes" },
  },
  writer: { name: { type: "string" }, notes: { ...relation("oneToMany", "note"), mappedBy: "writer" } },
  category: { name: { type: "string" }, notes: { ...relation("oneToMany", "note"), mappedBy: "category" } },
  tag: { name: { type: "string" }, notes: { ...relation("manyToMany", "note"), mappedBy: "tags" } },
  topic: { name: { type: "string" }, notes: { ...relation("manyToMany", "note"), mappedBy: "topics" } },
};

const guide = { title: { type: "string" }, sections: { type: "dynamiczone", components: ["parts.text"] } };
const text = { info: { displayName: "text" }, attributes: { heading: { type: "string" }, text: { type: "richtext" } } };

const plural = (name: string): string => (name === "category" ? "categories" : `${name}s`);

const optionsOf = (name: string): object => ({
  draftAndPublish: false,
  ...(name === "guide" ? { search: { weights: { title: "A" }, language: "en" } } : {}),
});

/**
 * Writes the schemas, public permissions, and the configuration: caching is off, so that every request costs its full
 * price.
 */
export const writeProject = (root: string): void => {
  mkdirSync(path.join(root, "content-types", "components", "parts"), { recursive: true });
  writeFileSync(path.join(root, "content-types", "components", "parts", "text.json"), JSON.stringify(text));
  for (const [name, attributes] of Object.entries({ ...schemas, guide })) {
    const info = { singularName: name, pluralName: plural(name), displayName: name };
    mkdirSync(path.join(root, "content-types", name), { recursive: true });
    const schema = { kind: "collectionType", info, options: optionsOf(name), attributes };
    writeFileSync(path.join(root, "content-types", name, "schema.json"), JSON.stringify(schema));
  }
  const actions = [...Object.keys(schemas), "guide"].map((name) => `api::${name}.${name}.find`);
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify({ public: actions }));
  writeFileSync(
    path.join(root, "cms.config.ts"),
    "export default { database: { statementSeconds: 600 }, cache: { enabled: false }, search: { engine: 'postgres' } };\n",
  );
};
