/** What `cms dev` does not ask about: a loss of what only this branch has added, and that is empty. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
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

const write = (file: string, content: object) => {
  const full = path.join(project.root, "content-types", file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, JSON.stringify(content));
};

/** One round of `cms dev`. */
const round = async () => {
  const { migration } = await generate(
    await openSources(project.root, undefined),
    {},
    {
      ask,
      holds: (concerns) => concernsAny(project.database, concerns),
    },
  );
  await project.migrate();
  return migration?.name.replace(/^\d+_/, "");
};

test("what is new on the branch and holds nothing but defaults goes without a flag, what holds a value or others have does not", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { database } = project;
  const develop = (attributes: object, fields: object = { mood: text }) => {
    write("page/schema.json", schema("page", attributes));
    write("components/shared/box.json", component(fields));
    return round();
  };
  await develop({ title: text, old: text });
  project.commit();
  project.git("checkout", "-b", "feature");
  expect(await develop({ title: text, old: text, mine: text, size: text })).toBe("add_page_mine_and_add_page_size");
  await database.script(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, size) values ('p1', now(), now(), now(), '1')`);

  expect(await develop({ title: text, old: text, size: text })).toBe("remove_page_mine");
  const list = { type: "component", component: "shared.box", repeatable: true };
  await develop({
    title: text,
    old: text,
    size: text,
    list,
    zone: { type: "dynamiczone", components: ["shared.box"] },
  });
  // The server stores lists without entries.
  await database.script("update pages set list = '[]', zone = '[]'");
  expect(await develop({ title: text, old: text, size: text })).toBe("remove_page_list_and_remove_page_zone");
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

const soft = { ...text, default: "soft" };

const parts = (words: string | null) =>
  JSON.stringify([
    { __component: "new.box", id: 1, at: "7" },
    { __component: "new.note", id: 2, tone: "soft", words },
  ]);

test("types and entries of a zone with nothing but defaults go without a flag, and texts become what all of them say", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { database, root } = project;
  const develop = (size: object, ...components: readonly string[]) => {
    write("draft/schema.json", schema("draft", { title: text, size, parts: { type: "dynamiczone", components } }));
    write("components/new/box.json", component({ at: size, tone: soft }));
    write("components/new/note.json", component({ tone: soft, words: text }));
    return round();
  };
  write("color/schema.json", schema("color", { tone: soft, name: text }));
  await develop(text, "new.box", "new.note");
  await database.script(`insert into documents values ('d1', 'api::draft.draft'), ('c1', 'api::color.color');
    insert into colors (document_id, created_at, updated_at, published_at, tone, name) values ('c1', now(), now(), now(), 'soft', 'mine');
    insert into drafts (document_id, created_at, updated_at, published_at, size, parts) values ('d1', now(), now(), now(), '12 kg', '${parts("mine")}')`);

  rmSync(path.join(root, "content-types/color"), { recursive: true });
  await expect(round()).rejects.toThrow("--allow drop:color");
  await database.script("update colors set name = null");
  expect(await round()).toBeDefined();
  expect(await database.rows("select to_regclass('colors')")).toEqual([[null]]);

  await expect(develop(text, "new.box")).rejects.toThrow("--allow drop:draft.parts.new.note");
  await database.script(`update drafts set parts = '${parts(null)}'`);
  expect(await develop(text, "new.box")).toBeDefined();

  // What an integer would write otherwise is no integer.
  for (const size of ["12 kg", "007", "1.5", ""]) {
    await database.script(`update drafts set size = '${size}'`);
    await expect(develop({ type: "integer" }, "new.box")).rejects.toThrow("--allow drop:draft.size");
  }
  await database.script("update drafts set size = '12'");
  expect(await develop({ type: "integer" }, "new.box")).toBeDefined();
  const values = () => database.rows("select size, parts -> 0 ->> 'at', json_typeof(parts -> 0 -> 'at') from drafts");
  expect(await values()).toEqual([[12, "7", "number"]]);
  expect(await develop(text, "new.box")).toBeDefined();
  expect(await values()).toEqual([["12", "7", "string"]]);
});
