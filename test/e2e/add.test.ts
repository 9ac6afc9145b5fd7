/** `cms add`: what it writes is a project that generates, compiles and says what it does. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder } from "../support/cms.ts";
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
  expect((await cms(root, ["add", "extension", "blog-pots"])).stderr).toContain(
    'no type "blog-pots" in content-types. Did you mean "blog-post"?',
  );
  const refusals = [
    [["component", "price"], "such as shared.price"],
    [["type", "components"], "has a purpose of its own"],
    [["policy", "default"], "is a word of the language"],
    [["attribute", "blog-post.documentId"], 'cannot be called "documentId"'],
    [["attribute", "blog-post.createdAt", "--type", "datetime"], 'cannot be called "createdAt"'],
    [["attribute", "blog-post.x", "--type", "numbr"], 'no type "numbr". There are string, '],
    [["attribute", "blog-post.x", "--type", "enumeration"], 'needs "enum" as well'],
    [["attribute", "users-permissions/user.x"], "part of the server"],
  ] as const;
  for (const [words, why] of refusals) {
    expect(await cms(root, ["add", ...words])).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  }
});

test("what is added lies where the project has its own, written as the rest of the file", async () => {
  const root = await emptyFolder();
  const schema = "src/api/shop/content-types/product/schema.json";
  const product = {
    kind: "collectionType",
    info: { singularName: "product", pluralName: "products", displayName: "Product" },
    attributes: {},
  };
  await mkdir(path.join(root, path.dirname(schema)), { recursive: true });
  await writeFile(path.join(root, schema), JSON.stringify(product, null, "\t").replaceAll("\n", "\r\n"));
  await writeFile(path.join(root, "cms.config.ts"), 'export default { generate: { from: "src" } };\n');
  const add = async (...words: readonly string[]) => (await cmsOutput(root, ["add", ...words])).split("\n")[0];
  expect(await add("type", "page")).toBe("+ src/api/page/content-types/page/schema.json");
  expect(await add("component", "shared.price")).toBe("+ src/components/shared/price.json");
  expect(await add("extension", "product")).toBe("+ src/api/shop/content-types/product/extension.ts");
  expect(await readFile(path.join(root, path.dirname(schema), "extension.ts"), "utf8")).toContain(
    '<"api::shop.product">',
  );
  const user = "src/extensions/users-permissions/content-types/user/extension.ts";
  expect(await add("extension", "users-permissions/user")).toBe(`+ ${user}`);
  expect(await add("attribute", "product.price", "--type", "decimal")).toBe(`~ ${schema} (price)`);
  expect(await readFile(path.join(root, schema), "utf8")).toContain(
    '\t"attributes": {\r\n\t\t"price": {\r\n\t\t\t"type"',
  );
  expect((await cms(root, ["generate"])).stderr).toBe("");
  expect(await readFile(path.join(root, "generated", "extensions.ts"), "utf8")).toContain(user);
});
