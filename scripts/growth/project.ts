/** The project whose lists grow: notes with relations of every kind, some evenly distributed and some skewed. */
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

const plural = (name: string): string => (name === "category" ? "categories" : `${name}s`);

/**
 * Writes the schemas, public permissions, and the configuration: caching is off, so that every request costs its full
 * price.
 */
export const writeProject = (root: string): void => {
  for (const [name, attributes] of Object.entries(schemas)) {
    const info = { singularName: name, pluralName: plural(name), displayName: name };
    mkdirSync(path.join(root, "content-types", name), { recursive: true });
    const schema = { kind: "collectionType", info, options: { draftAndPublish: false }, attributes };
    writeFileSync(path.join(root, "content-types", name, "schema.json"), JSON.stringify(schema));
  }
  const actions = Object.keys(schemas).map((name) => `api::${name}.${name}.find`);
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify({ public: actions }));
  writeFileSync(
    path.join(root, "cms.config.ts"),
    "export default { database: { statementSeconds: 600 }, cache: { enabled: false } };\n",
  );
};
