/** `cms add`: what it writes is a project that generates, compiles and says what it does. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput } from "../support/cms.ts";
import { typeCheck, workspace } from "../support/workspace.ts";

test("each kind of starter is written once, and all of them generate and compile", async () => {
  const root = workspace();
  expect(await cmsOutput(root, ["add", "type", "blog-post"])).toContain("content-types/blog-post/schema.json");
  await cmsOutput(root, ["add", "attribute", "blog-post.rating", "--type", "integer"]);
  await cmsOutput(root, ["add", "component", "shared.price"]);
  await cmsOutput(root, ["add", "extension", "blog-post"]);
  await cmsOutput(root, ["add", "policy", "isKnown"]);
  expect(await cmsOutput(root, ["add", "task", "cleanUp"])).toContain("defineApp({ tasks: { cleanUp } })");
  const app = `import { defineApp } from "galley-cms";
import { isKnown } from "../lib/policies/isKnown.ts";
import { cleanUp } from "../lib/tasks/cleanUp.ts";
export default defineApp({ rest: { policies: { "*": [isKnown] } }, tasks: { cleanUp } });
`;
  await writeFile(path.join(root, "content-types", "app.ts"), app);
  await cmsOutput(root, ["generate"]);
  expect(await readFile(path.join(root, "generated", "blog-post", "document.ts"), "utf8")).toContain(
    "rating: number | null",
  );
  expect(await typeCheck(root, ["generated/index.ts", "lib", "content-types"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  for (const again of [
    ["type", "blog-post"],
    ["extension", "blog-post"],
    ["attribute", "blog-post.rating"],
    ["task", "cleanUp"],
  ]) {
    expect(await cms(root, ["add", ...again])).toMatchObject({ code: 2, stderr: expect.stringContaining("already") });
  }
  expect((await cms(root, ["add", "extension", "nothing"])).stderr).toContain("is missing");
  expect((await cms(root, ["add", "component", "price"])).stderr).toContain("such as shared.price");
});
