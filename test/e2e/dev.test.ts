import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { cmsOutput, emptyFolder, serve } from "../support/cms.ts";

const edit = async (root: string, change: (schema: string) => string): Promise<void> => {
  const file = path.join(root, "content-types/article/schema.json");
  await writeFile(file, change(await readFile(file, "utf8")));
};

test("dev serves an added attribute without a restart, survives a broken schema, and leaves one migration", async () => {
  const root = await emptyFolder();
  spawnSync("git", ["-C", root, "init", "--initial-branch=topic"]);
  await cmsOutput(root, ["init"]);
  const { url, output, stop } = await serve(root, {}, { command: "dev" });
  await vi.waitFor(() => expect(output.stdout).toContain("listening"), { timeout: 20_000 });

  await edit(root, (schema) => schema.replace('"body":', '"body": '.concat("!")));
  await vi.waitFor(() => expect(output.stderr).toContain("content-types/article/schema.json"), { timeout: 20_000 });
  expect((await fetch(`${url}/_health`)).status).toBe(204);

  await edit(root, (schema) => schema.replace('"body": !', '"subtitle": { "type": "string" },\n    "body":'));
  await vi.waitFor(() => expect(output.stdout).toContain("reloaded"), { timeout: 20_000 });
  const migrations = output.stdout.match(/^migrated: .+$/gm);
  expect(migrations).toHaveLength(2);
  const [only = "", ...others] = await readdir(path.join(root, "generated/migrations"));
  expect(others).toEqual([]);
  expect(await readFile(path.join(root, "generated/migrations", only, "up.sql"), "utf8")).toContain('"subtitle"');
  expect(await readFile(path.join(root, "generated/article/table.ts"), "utf8")).toContain("subtitle");
  expect(await stop()).toBe(0);
  expect(await cmsOutput(root, ["migrate", "status"])).toBe(`applied  ${only}`);
});
