/** The JSON schemas that editors check schema files by, as they lie in the package. */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { repository } from "../support/cms.ts";

const parse = async (file: string): Promise<z.core.JSONSchema.JSONSchema> =>
  JSON.parse(await readFile(path.join(repository, file), "utf8"));

/** Everywhere in the repository where schema files lie that `cms generate` accepts: what it made of them lies beside. */
const FOLDERS = [
  "content-types",
  ...readdirSync(path.join(repository, "test/golden"))
    .map((name) => `test/golden/${name}`)
    .filter((folder) => existsSync(path.join(repository, folder, "generated"))),
];

const schemaFiles = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /(?:^|\/)schema\.json$|(?:^|\/)components\/[^/]+\/[^/]+\.json$/.test(name))
    .filter((name) => !name.includes("generated/"))
    .map((name) => path.join(folder, name)),
);

let schemas: Readonly<Record<"content-type" | "component", z.ZodType>>;

beforeAll(async () => {
  schemas = {
    "content-type": z.fromJSONSchema(await parse("dist/schemas/content-type.json")),
    component: z.fromJSONSchema(await parse("dist/schemas/component.json")),
  };
});

test("every schema file that is generated from is one by the JSON schema, and says so by `$schema`", async () => {
  expect(schemaFiles.length).toBeGreaterThan(20);
  for (const file of schemaFiles) {
    const kind = file.endsWith("schema.json") ? "content-type" : "component";
    const $schema = `node_modules/galley-cms/dist/schemas/${kind}.json`;
    const { error } = schemas[kind].safeParse({ $schema, ...(await parse(file)) });
    expect(error, file).toBeUndefined();
  }
});

const info = { singularName: "tag", pluralName: "tags", displayName: "Tag" };

test.each([
  ["a key that does not exist", { info, atributes: {} }],
  ["a kind that does not exist", { info, kind: "collection" }],
  ["info without a name", { info: { displayName: "Tag" } }],
  ["a type that does not exist", { info, attributes: { name: { type: "strng" } } }],
  ["an option that does not exist", { info, attributes: { name: { type: "string", requird: true } } }],
  ["an option of another type", { info, attributes: { name: { type: "boolean", maxLength: 3 } } }],
  ["a value that an option cannot have", { info, attributes: { name: { type: "string", maxLength: "3" } } }],
  ["a relation of no kind", { info, attributes: { tag: { type: "relation", relation: "oneToFew" } } }],
])("%s is refused by the JSON schema", (_what, file) => {
  expect(schemas["content-type"].safeParse(file).success).toBe(false);
});

test("what means nothing is accepted: null for an option, and leftovers of tools", () => {
  const attributes = { name: { type: "string", required: null, default: null, __id__: 1 } };
  expect(schemas["content-type"].safeParse({ info, attributes, __filename__: "tag.json" }).success).toBe(true);
});
