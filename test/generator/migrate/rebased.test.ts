/** The end of a merge, where the development database has the branch's migration already. */
import { afterAll, expect, test, vi } from "vitest";
import { runRebase } from "../../../generator/commands/migrate/rebase.ts";
import { branchProject } from "../../support/branch.ts";
import { schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };
const page = (attributes: object) => ({ "page/schema.json": schema("page", { title: text, ...attributes }) });

test("the database keeps what the branch wrote, and gets the migrations of main, if the new one does the same", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await project.change(page({}));
  project.commit();
  project.git("checkout", "-b", "feature");
  await project.change(page({ own: text }));
  await project.migrate();
  project.commit();
  await project.database.script(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, own) values ('p1', now(), now(), now(), 'kept')`);
  project.git("checkout", "main");
  await project.change(page({ theirs: text }), { name: "theirs" });
  project.commit();
  project.git("checkout", "feature");
  project.git("merge", "main");

  const merge = (attributes: object) => project.change(page(attributes)).catch(() => {});
  await merge({ own: text, theirs: text });
  await runRebase(project.root, {});
  await project.migrate();
  expect(project.titles()).toEqual(["initial", "theirs", "add_page_own"]);
  expect(await project.database.rows("select own, theirs from pages")).toEqual([["kept", null]]);
  const applied = await project.database.rows("select name from galley_migrations order by name");
  expect(applied).toEqual(project.names().map((name) => [name]));
});

test("two migrations that branches made of one that they shared are whole after the merge", async () => {
  const { git } = project;
  project.commit();
  git("checkout", "-b", "shared", "main");
  await project.change(page({ theirs: text, mine: text }));
  project.commit();
  for (const branch of ["left", "right"]) {
    git("checkout", "-b", branch, "shared");
    await project.change(page({ theirs: text, mine: text, [branch]: text }));
    project.commit();
  }
  expect(git("merge", "left").stdout).toContain("rename/rename");
  const united = page({ theirs: text, mine: text, left: text, right: text });
  await project.change(united).catch(() => {});
  await runRebase(project.root, {});
  const texts = project.names().flatMap((name) => ["up.sql", "snapshot.json"].map((file) => project.read(name, file)));
  expect(texts.filter((each) => each.includes("<<<<<<<"))).toEqual([]);
  expect(await project.change(united, { check: true })).toMatchObject({ exitCode: 0 });
});
