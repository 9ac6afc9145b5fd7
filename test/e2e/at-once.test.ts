/** Commands of one project that run at the same time. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, cmsProcess } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

const codes = (runs: readonly { readonly code: number | null; readonly stderr: string }[]): unknown =>
  runs.map(({ code, stderr }) => (code === 0 ? 0 : stderr));

test("the first commands of a project make its secrets together, and exports to one file leave a whole one", async () => {
  const root = await projectOnServer();
  const each = [1, 2, 3, 4];
  expect(codes(await Promise.all(each.map(() => cmsProcess(root, ["token", "list"]))))).toEqual(each.map(() => 0));
  expect((await readdir(path.join(root, ".cms"))).filter((name) => name.startsWith("secrets"))).toEqual([
    "secrets.json",
  ]);
  const all = await Promise.all(each.map(() => cmsProcess(root, ["export", "all.tar.gz"])));
  expect(codes(all)).toEqual(each.map(() => 0));
  await cmsOutput(root, ["export", "one.tar.gz"]);
  const [written, one] = ["all.tar.gz", "one.tar.gz"].map((name) => readFile(path.join(root, name)));
  expect(await written).toEqual(await one);
  expect((await readdir(root)).filter((name) => name.endsWith(".part"))).toEqual([]);
});
