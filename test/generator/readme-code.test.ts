/** The generated code that the README shows is what its first content type becomes. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, repository } from "../support/cms.ts";
import { renderProject } from "../support/render-project.ts";

const readme = readFileSync(path.join(repository, "README.md"), "utf8");

/** The texts of the blocks in a language. */
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

test("every line of generated code in the README is generated from the schema file in it", async () => {
  const folder = await emptyFolder();
  const [schema = ""] = blocks("json");
  mkdirSync(path.join(folder, "content-types", "article"), { recursive: true });
  writeFileSync(path.join(folder, "content-types", "article", "schema.json"), schema);
  const files = await renderProject(folder);
  const shown = blocks("ts");
  expect(shown.length).toBeGreaterThan(3);
  for (const block of shown) {
    const [first = "", ...lines] = block.trimEnd().split("\n");
    const generated = files.get(first.replace("// generated/", ""))?.split("\n") ?? [];
    const wanted = lines.filter((line) => !line.trim().startsWith("// …"));
    expect(wanted.filter((line) => !generated.includes(line) && !generated.includes(`${line};`))).toEqual([]);
  }
});
