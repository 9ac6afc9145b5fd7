/** The code that the documentation shows compiles in the project of this repository. */
import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { clientPage } from "./support/client-page.ts";
import { repository } from "./support/cms.ts";
import { blocksOf, COMPILED } from "./support/doc-blocks.ts";
import { typeCheck, workspace, writeFiles } from "./support/workspace.ts";

/** A block as a module: parts of an extension, and statements, are put where they belong. */
const moduleOf = (block: string): string => {
  if (/^export /m.test(block)) return block;
  if (/^\w+\([\w, ]*\) \{/.test(block)) {
    return `import { defineExtension } from "galley-cms";\nexport default defineExtension<"api::article.article">({ ${block} });`;
  }
  if (block.startsWith("graphql.")) {
    return `import { defineApp } from "galley-cms";\nexport default defineApp({ register({ graphql }) { ${block} } });`;
  }
  // Keys of the configuration.
  if (/^\w+: /.test(block)) {
    return `import { defineConfig } from "galley-cms";\nexport default defineConfig({ ${block} });`;
  }
  const imports = block.match(/^import .*$/gm) ?? [];
  return `${imports.join("\n")}
import type { HookServices } from "galley-cms";
import { can, type router as make } from "galley-cms/rest";
export const run = async (services: HookServices, router: ReturnType<typeof make>) => {
const { documents } = services;
void [can, documents, router];
${block.replaceAll(/^import .*$/gm, "")}
};`;
};

test("blocks of TypeScript in the documentation compile", async () => {
  const folder = workspace();
  const files: (readonly [string, string])[] = [...(await clientPage())];
  for (const page of COMPILED) {
    const blocks = (await blocksOf(page)).filter(({ language }) => language === "ts");
    expect(blocks).not.toEqual([]);
    for (const [index, { text }] of blocks.entries()) {
      files.push([`code/${path.basename(page, ".md")}-${index}.ts`, moduleOf(text)]);
    }
  }
  files.push(["code/persisted-documents.json", "{}"]);
  writeFiles(folder, files);
  await symlink(path.join(repository, "generated"), path.join(folder, "generated"), "dir");
  expect(await typeCheck(folder, ["generated/index.ts", "code"])).toEqual({ code: 0, stdout: "", stderr: "" });
});
