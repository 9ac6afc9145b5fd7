/** Two runs of `cms import` at once, beside a server that has the embedded database. */
import path from "node:path";
import { expect, test } from "vitest";
import { takeLock } from "../../runtime/database/embedded/lock.ts";
import { atEndOfTest, cms, cmsOutput, serve } from "../support/cms.ts";
import { content } from "../support/exported-content.ts";
import { generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";

test("beside a server that has the embedded database, a second import is refused", async () => {
  const root = await generatedImportProject(atEndOfTest);
  await cmsOutput(root, ["migrate"]);
  const archive = path.join(root, "one.tar.gz");
  await writeArchive(archive, content);
  await serve(root);
  const { release } = await takeLock(path.join(root, ".cms/import.lock"), "cms import");
  const refused = await cms(root, ["import", archive]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("another import is writing to this database");
  await release();
  expect((await cms(root, ["import", archive])).stdout).toContain("api::page.page: 5 created");
});
