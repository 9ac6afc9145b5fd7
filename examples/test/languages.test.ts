/** A generator of the registry reads `generated/openapi.json` for languages that this repository has no client for. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { repository, run } from "../../test/support/cms.ts";
import { folderOfRun } from "../../test/support/run-folder.ts";
import { npm } from "./site.ts";

const LANGUAGES = [
  ["go", "type Article struct {"],
  ["kotlin", "class Article ("],
  ["python", "class Article:"],
  ["swift", "struct Article: Codable"],
] as const;

test("quicktype makes types of documents for other languages", async () => {
  const folder = await folderOfRun("languages");
  await writeFile(
    path.join(folder, "package.json"),
    '{ "private": true, "dependencies": { "quicktype": "26.0.0" } }\n',
  );
  await npm(folder, {}, "install", "--no-audit", "--no-fund");
  const program = path.join(folder, "node_modules/quicktype/dist/index.js");
  const schemas = `${path.join(repository, "generated/openapi.json")}#/components/schemas/`;
  for (const [language, line] of LANGUAGES) {
    const args = ["--quiet", "--src-lang", "schema", "--lang", language, "--out", language, schemas];
    expect(await run(process.execPath, [program, ...args], { cwd: folder })).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(path.join(folder, language), "utf8")).toContain(line);
  }
}, 600_000);
