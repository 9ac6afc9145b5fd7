/** What `cms dev` does not ask about: a loss of what only this branch has added, and that is empty. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openSources } from "../../../generator/commands/generate/project.ts";
import { generate } from "../../../generator/commands/generate/run.ts";
import { namesIn } from "../../../generator/commands/migrate/applied.ts";
import { concernsAny } from "../../../generator/commands/migrate/count.ts";
import { branchProject } from "../../support/branch.ts";
import { component, schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };

const ask = async () => ({ names: new Set(await namesIn(project.database)) });

const box = (tone: string) => `'{"id":1,"mood":"good","tone":"${tone}"}'`;

test("what is new on the branch and holds nothing but defaults goes without a flag, what holds a value or others have does not", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { database, root } = project;
  const write = (file: string, content: object) => {
    mkdirSync(path.dirname(path.join(root, "content-types", file)), { recursive: true });
    writeFileSync(path.join(root, "content-types", file), JSON.stringify(content));
  };
  const develop = async (attributes: object, fields: object = { mood: text }) => {
    write("page/schema.json", schema("page", attributes));
    write("components/shared/box.json", component(fields));
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

  const color = { ...text, required: true, default: "it's red" };
  const kept = { title: text, old: text, box: { type: "component", component: "shared.box" } };
  const fields = { mood: text, tone: { ...text, default: "soft" } };
  await develop({ ...kept, color, place: { type: "json", default: { at: [1, 2] } } }, fields);
  // What content has by default is nothing that anybody wrote.
  const withoutThem = () => develop({ ...kept, color: { type: "integer" } });
  for (const [values, flag] of [
    [`color = 'blue', place = '{"at":[1,2]}', box = ${box("soft")}`, "drop:page.color"],
    [`color = 'it''s red', place = '{"at":[2,1]}', box = ${box("soft")}`, "drop:page.place"],
    [`color = 'it''s red', place = '{"at":[1,2]}', box = ${box("loud")}`, "drop:shared.box.tone"],
  ]) {
    await database.script(`update pages set ${values}`);
    await expect(withoutThem()).rejects.toThrow(`--allow ${flag}`);
  }
  await database.script(`update pages set box = ${box("soft")}`);
  expect(await withoutThem()).toBeDefined();
  expect(await database.rows("select color, box ->> 'mood', box ->> 'tone' from pages")).toEqual([
    [null, "good", null],
  ]);
});
