/** The locales of content that is taken over into a project whose configuration names none. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { atEndOfTest, cms, cmsOutput } from "../support/cms.ts";
import { content } from "../support/exported-content.ts";
import { freshTables, generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";

const root = await generatedImportProject(afterAll);
const file = path.join(root, "cms.config.ts");

const locale = (id: number, code: string) =>
  [
    "plugin::i18n.locale",
    id,
    { documentId: `l${String(id).padStart(23, "0")}`, code, name: code, locale: null },
  ] as const;

test("locales of an export are written into a configuration that names none, and a dry run writes nothing", async () => {
  await writeFile(
    file,
    'import { defineConfig } from "galley-cms";\n\nexport default defineConfig({\n  rest: { drafts: "find" },\n});\n',
  );
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "locales.tar.gz");
  await writeArchive(archive, {
    ...content,
    entities: [...content.entities, locale(1, "en"), locale(2, "fr"), locale(3, '"], x: [`')],
    configuration: [{ type: "core-store", value: { key: "plugin_i18n_default_locale", value: "fr" } }],
  });
  const before = await readFile(file, "utf8");
  expect((await cms(root, ["import", archive, "--dry-run"])).stdout).not.toContain("its locale is none");
  expect(await readFile(file, "utf8")).toBe(before);

  const { stdout } = await cms(root, ["import", archive]);
  expect(stdout).toContain("cms.config.ts names the locales of the content now: fr, en");
  expect(stdout).not.toContain("its locale is none");
  expect(await readFile(file, "utf8")).toContain(
    'locales: { default: "fr", codes: ["fr", "en"] }, // the imported content',
  );
  await cmsOutput(root, ["generate"]);
  // A configuration that names locales stays as it is.
  const after = await readFile(file, "utf8");
  await cms(root, ["import", archive]);
  expect(await readFile(file, "utf8")).toBe(after);
});
