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

/** What adding an attribute to the example's article changes, by file. */
const changesOf = async (name: string, attribute: unknown) => {
  const folder = await emptyFolder();
  cpSync(path.join(repository, "content-types"), path.join(folder, "content-types"), { recursive: true });
  const before = await renderProject(folder);
  const file = path.join(folder, "content-types", "article", "schema.json");
  const schema = schemaShape.parse(JSON.parse(readFileSync(file, "utf8")));
  schema.attributes[name] = attribute;
  writeFileSync(file, JSON.stringify(schema));
  const after = await renderProject(folder);
  expect([...after.keys()]).toEqual([...before.keys()]);
  const changed = [...after].filter(([file, text]) => text !== before.get(file));
  return Object.fromEntries(changed.map(([file, text]) => [file, changedLines(before.get(file) ?? "", text)]));
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
