/** What `cms dev` does not ask about: a loss of what only this branch has added, and that is empty. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openSources } from "../../../generator/commands/generate/project.ts";
import { generate } from "../../../generator/commands/generate/run.ts";
import { namesIn } from "../../../generator/commands/migrate/applied.ts";
import { concernsAny } from "../../../generator/commands/migrate/count.ts";
import { branchProject } from "../../support/branch.ts";
import { schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };

const ask = async () => ({ names: new Set(await namesIn(project.database)) });

test("what is new on the branch and empty goes without a flag, what holds a value or others have does not", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { database, root } = project;
  const develop = async (attributes: object) => {
    mkdirSync(path.join(root, "content-types/page"), { recursive: true });
    writeFileSync(path.join(root, "content-types/page/schema.json"), JSON.stringify(schema("page", attributes)));
    const { migration } = await generate(
      await openSources(root, undefined),
      {},
      {
        ask,
        holds: (concerns) => concernsAny(database, concerns),
      },
    );
    await project.migrate();
    return migration?.name.replace(/^\d+_/, "");
  };
  await develop({ title: text, old: text });
  project.commit();
  project.git("checkout", "-b", "feature");
  expect(await develop({ title: text, old: text, mine: text, size: text })).toBe("add_page_mine_and_add_page_size");
  await database.script(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, size) values ('p1', now(), now(), now(), '1')`);

  expect(await develop({ title: text, old: text, size: text })).toBe("remove_page_mine");
  await expect(develop({ title: text, old: text })).rejects.toThrow("--allow drop:page.size");
  // Nobody here has written anything into it, but it is on main.
  await expect(develop({ title: text, size: text })).rejects.toThrow("--allow drop:page.old");
  await database.script("update pages set size = null");
  expect(await develop({ title: text, old: text, size: { type: "json" } })).toBe("change_page_size");
});
