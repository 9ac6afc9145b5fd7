import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { diffLines } from "diff";
import { expect, test } from "vitest";
import { z } from "zod";
import { emptyFolder, repository } from "../support/cms.ts";
import { renderProject, sdlOf } from "../support/render-project.ts";

const schemaShape = z.looseObject({ attributes: z.record(z.string(), z.unknown()) });

/** How many lines two texts differ by: added, and removed. */
const changedLines = (before: string, after: string) => {
  const changes = diffLines(before, after);
  const count = (flag: "added" | "removed") =>
    changes.filter((change) => change[flag]).reduce((sum, { count }) => sum + count, 0);
  return { added: count("added"), removed: count("removed") };
};

/** The text of a file below its imports, whose layout depends on how many there are. */
const withoutImports = (text: string): string => text.replaceAll(/^import [^;]*;\n/gm, "");

let rendered: ReturnType<typeof renderProject> | undefined;
/** The files of the example, as they are without a change. */
const renderedExample = (): ReturnType<typeof renderProject> => (rendered ??= renderProject(repository));

/** What adding an attribute to the example's article changes, by file. */
const changesOf = async (name: string, attribute: unknown, part = (text: string): string => text) => {
  const folder = await emptyFolder();
  cpSync(path.join(repository, "content-types"), path.join(folder, "content-types"), { recursive: true });
  const before = await renderedExample();
  const file = path.join(folder, "content-types", "article", "schema.json");
  const schema = schemaShape.parse(JSON.parse(readFileSync(file, "utf8")));
  schema.attributes[name] = attribute;
  writeFileSync(file, JSON.stringify(schema));
  const after = await renderProject(folder);
  expect([...after.keys()]).toEqual([...before.keys()]);
  const changed = [...after].filter(([file, text]) => text !== before.get(file));
  return Object.fromEntries(
    changed.map(([file, text]) => [file, changedLines(part(before.get(file) ?? ""), part(text))]),
  );
};

const oneLine = { added: 1, removed: 0 };

test("a string attribute is one line in each file concerned", async () => {
  expect(await changesOf("subtitle", { type: "string", pluginOptions: { i18n: { localized: true } } })).toMatchObject({
    "article/table.ts": oneLine,
    "article/document.ts": oneLine,
    "article/type.ts": oneLine,
    "article/validator.ts": oneLine,
  });
});

const link = "shared.link";
const tag = "api::tag.tag";

/** What is asked of a published document besides what is asked of a draft is a line of its own. */
const stricter = new Set<unknown>(["email", "uid", "component", "repeatable component", "dynamic zone"]);

/** One attribute of each type, and the lines that it adds to `table.ts`, `document.ts`, and to `relations.ts` if it is one. */
const attributes: readonly (readonly [
  name: string,
  attribute: object,
  table: number,
  document: number,
  relations?: number,
])[] = [
  ["string", { type: "string" }, 1, 1],
  ["text", { type: "text" }, 1, 1],
  ["richtext", { type: "richtext" }, 1, 1],
  ["blocks", { type: "blocks" }, 1, 1],
  ["email", { type: "email" }, 1, 1],
  ["password", { type: "password" }, 1, 1],
  // With an index, and with one that keeps its values unique.
  ["uid", { type: "uid" }, 3, 1],
  ["integer", { type: "integer" }, 1, 1],
  ["biginteger", { type: "biginteger" }, 1, 1],
  ["float", { type: "float" }, 1, 1],
  ["decimal", { type: "decimal" }, 1, 1],
  ["boolean", { type: "boolean" }, 1, 1],
  ["date", { type: "date" }, 1, 1],
  ["time", { type: "time" }, 1, 1],
  ["datetime", { type: "datetime" }, 1, 1],
  ["timestamp", { type: "timestamp" }, 1, 1],
  ["json", { type: "json" }, 1, 1],
  ["enumeration", { type: "enumeration", enum: ["news", "opinion"] }, 1, 1],
  // With an index.
  ["file", { type: "media" }, 2, 1, 1],
  ["relation to one", { type: "relation", relation: "oneToOne", target: tag }, 2, 1, 1],
  // With a table of links.
  ["files", { type: "media", multiple: true }, 8, 1, 6],
  ["relation to many", { type: "relation", relation: "oneToMany", target: tag }, 8, 1, 9],
  ["component", { type: "component", component: link }, 1, 1],
  ["repeatable component", { type: "component", component: link, repeatable: true }, 1, 1],
  // A line for each component that it may hold, in the type of what is read.
  ["dynamic zone", { type: "dynamiczone", components: ["blocks.quote"] }, 1, 3],
];

test.each(attributes)(
  "%s: one attribute adds its lines and changes none",
  async (name, attribute, table, document, relations) => {
    expect(await changesOf("added", attribute, withoutImports)).toEqual({
      "article/table.ts": { added: table, removed: 0 },
      "article/document.ts": { added: document, removed: 0 },
      "article/type.ts": oneLine,
      "article/validator.ts": { added: stricter.has(name) ? 2 : 1, removed: 0 },
      "article/graphql.ts": oneLine,
      ...(relations !== undefined && { "relations.ts": { added: relations, removed: 0 } }),
    });
  },
);

test("it changes no file of another type", async () => {
  const changed = Object.keys(await changesOf("subtitle", { type: "string" }));
  expect(changed.filter((file) => !file.startsWith("article/"))).toEqual([]);
});

test("in the GraphQL schema it is one line in each type that it concerns", async () => {
  const folder = await emptyFolder();
  cpSync(path.join(repository, "content-types"), path.join(folder, "content-types"), { recursive: true });
  const before = await sdlOf(folder, "entity");
  const file = path.join(folder, "content-types", "article", "schema.json");
  const schema = schemaShape.parse(JSON.parse(readFileSync(file, "utf8")));
  schema.attributes["subtitle"] = { type: "string" };
  writeFileSync(file, JSON.stringify(schema));
  const changes = diffLines(before, await sdlOf(folder, "entity"));
  expect(changes.filter(({ added, removed }) => added || removed).map(({ value }) => value)).toEqual([
    "  subtitle: String\n",
    "  subtitle: StringFilterInput\n",
    "  subtitle: String\n",
  ]);
});
