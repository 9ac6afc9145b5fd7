/** The tests that docs/build/testing.md shows run in a project that has the package installed, and hold under strict types. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, repository, run } from "../support/cms.ts";
import { blocksOf, commandsOf } from "../support/doc-blocks.ts";
import { documentedCommand, installPacked } from "../support/packed.ts";

const link = async (target: string, place: string): Promise<void> => {
  await mkdir(path.dirname(place), { recursive: true });
  await symlink(path.join(repository, "node_modules", target), place);
};

/** What a test adds to the project besides: tables that were changed, two servers at once, tasks, mails. */
const MORE = `
import assert from "node:assert/strict";
import test from "node:test";
import { createTestServer } from "galley-cms/testing";

test("servers at the same time have a database each, and one that was spoilt is not used again", async () => {
  const [one, other] = [await createTestServer(), await createTestServer({ seed: false })];
  await one.documents("api::article.article").createMany({ data: [{ title: "A", slug: "a" }, { title: "B", slug: "b" }] });
  const [seeded] = await other.db.execute("select count(*) from articles");
  assert.equal(Number(seeded.count), 0);
  await one.db.execute("drop table articles cascade");
  await one.close();
  const next = await createTestServer();
  assert.equal(await next.documents("api::article.article").count({ filters: { slug: { $in: ["a", "b"] } } }), 0);
  const { id } = await next.documents("api::article.article").create({ data: { title: "C", slug: "c" } });
  await next.close();
  const last = await createTestServer();
  const again = await last.documents("api::article.article").create({ data: { title: "C", slug: "c" } });
  assert.equal(again.id, id);
  await assert.rejects(last.runTask("nightly"), /no task "nightly"/);
  assert.deepEqual(last.mails, []);
  const narrow = await last.token("api::article.article.find");
  const ask = (method) => last.request("/api/articles", { method, headers: { authorization: "Bearer " + narrow } });
  assert.equal((await ask("GET")).status, 200);
  assert.equal((await ask("POST")).status, 403);
  // As by a test and by what runs after each of them.
  await Promise.all([last.close(), other.close()]);
  await last.close();
});
`;

test("the tests of docs/build/testing.md pass with vitest and with node:test, and their types hold", async () => {
  const root = await emptyFolder();
  await installPacked(root);
  await link("vitest", path.join(root, "node_modules/vitest"));
  await link("vitest/vitest.mjs", path.join(root, "node_modules/.bin/vitest"));
  for (const command of ["npx cms init", "npx cms generate"]) await documentedCommand(command, root);
  const printed: string[] = [];
  for (const block of await blocksOf("build/testing.md")) {
    if (block.language !== "sh") {
      const file = path.join(root, block.file ?? "");
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, block.text);
      continue;
    }
    for (const command of commandsOf(block)) {
      if (command === "npm install --save-dev vitest") continue;
      const patient = command.replace(/^npx vitest run/, "$& --test-timeout 240000 --hook-timeout 240000");
      const { code, stdout, stderr } = await run("bash", ["-euc", patient], { cwd: root });
      expect(code, `${stdout}${stderr}`).toBe(0);
      printed.push(stdout);
    }
  }
  expect(printed[0]).toContain("2 passed");
  expect(printed[1]).toContain("pass 1");

  await writeFile(path.join(root, "test/more.test.mjs"), MORE);
  const more = await run(process.execPath, ["--test", "test/more.test.mjs"], { cwd: root });
  expect(more.code, more.stdout).toBe(0);

  const wrong = `import { createTestServer } from "galley-cms/testing";
const server = await createTestServer();
await server.documents("api::article.article").findFirst({ filters: { titel: "Tea" } });
`;
  await writeFile(path.join(root, "test/wrong.test.ts"), wrong);
  const options = { extends: "./tsconfig.json", include: ["generated", "test/*.ts"] };
  await writeFile(path.join(root, "tsconfig.test.json"), JSON.stringify(options));
  const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", "tsconfig.test.json", "--singleThreaded"], {
    cwd: root,
  });
  expect(stdout.match(/^\S+: error/gm)).toEqual([expect.stringMatching(/^test\/wrong\.test\.ts\(3,/)]);
});
