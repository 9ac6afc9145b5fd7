import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { assert, asyncProperty, shuffledSubarray } from "fast-check";
import { expect, test } from "vitest";
import { emit } from "../../generator/emit/emit.ts";
import { formattedFiles } from "../../generator/emit/format.ts";
import { buildModel } from "../../generator/model/build.ts";
import { loadSchemas } from "../../generator/schema/load.ts";
import { cmsOutput, emptyFolder } from "../support/cms.ts";
import { filesBelow, goldenCases, goldenFolder } from "../support/golden.ts";
import { RUNS } from "../support/thorough.ts";

const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(filesBelow(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));

test.each(goldenCases)("the order in which the schema files of %s are found makes no difference", async (name) => {
  const { files } = loadSchemas({ root: goldenFolder(name), from: "content-types" });
  const rendered = (schemas: typeof files) =>
    formattedFiles(emit(buildModel(schemas).model, { toRoot: "..", graphql: { format: "entity" } }));
  const expected = await rendered(files);
  await assert(
    asyncProperty(shuffledSubarray([...files], { minLength: files.length }), async (shuffled) => {
      expect(await rendered(shuffled)).toEqual(expected);
    }),
    { numRuns: RUNS.determinism },
  );
});

/** Generates a copy of a golden case in a folder of its own. */
const generateCopy = async (name: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder(name), "content-types"), path.join(folder, "content-types"), { recursive: true });
  await cmsOutput(folder, ["generate"], env);
  return folder;
};

/** Code that is generated twice has the same bytes; migrations carry the time at which they were made. */
const generatedCode = (folder: string) =>
  Object.entries(contentsOf(path.join(folder, "generated"))).filter(([name]) => !name.startsWith("migrations/"));

test("another folder, locale and time zone give the same bytes", async () => {
  const [here, there] = await Promise.all([
    generateCopy("relations", { LC_ALL: "C", TZ: "UTC" }),
    generateCopy("relations", { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Auckland" }),
  ]);
  expect(generatedCode(there)).toEqual(generatedCode(here));
});

test("generating again changes nothing", async () => {
  const folder = await generateCopy("scalars", {});
  const before = contentsOf(path.join(folder, "generated"));
  expect(await cmsOutput(folder, ["generate"])).toMatch(/^generated: \d+ unchanged/m);
  expect(contentsOf(path.join(folder, "generated"))).toEqual(before);
});
