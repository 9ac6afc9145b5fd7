/** What happens while a database for development follows the branch that is checked out. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { applyMigrations } from "../../../generator/commands/dev/migrations.ts";
import { createRetry } from "../../../generator/commands/dev/retry.ts";
import { CommandError } from "../../../generator/commands/exit-codes.ts";
import { openSources } from "../../../generator/commands/generate/project.ts";
import { namesIn } from "../../../generator/commands/migrate/applied.ts";
import { checkedOut } from "../../../generator/commands/migrate/main-branch.ts";
import { runRebase } from "../../../generator/commands/migrate/rebase.ts";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { DatabaseLostError } from "../../../runtime/database/fault.ts";
import { MigrationError } from "../../../runtime/database/migrations/record.ts";
import { freshDatabase } from "../../support/database.ts";
import { followedProject } from "../../support/followed-project.ts";
import { schema } from "../../support/migration-lab.ts";

const project = await followedProject();
const { database, root, git, save, round, checkout, meanwhile } = project;
const text = { type: "string" };
const item = (attributes: object) => ({ "item/schema.json": schema("item", { title: text, ...attributes }) });

test("two that follow a branch at once undo and restore nothing twice", async () => {
  await save(item({}));
  project.commit();
  await database.script(`insert into documents values ('i1', 'api::item.item');
    insert into items (document_id, created_at, updated_at, published_at, title) values ('i1', now(), now(), now(), 'a')`);
  const both = async (branch: string) => {
    expect(git("checkout", branch).status).toBe(0);
    const [opened, config] = [await openSources(root, undefined), await loadConfig(root)];
    await Promise.all([1, 2].map(() => applyMigrations(opened, config, database, () => true)));
  };
  await checkout("-b", "twice");
  await save(item({ hue: text }));
  project.commit();
  await database.script("update items set hue = 'red'");
  for (let turn = 0; turn < 3; turn++) {
    await both("main");
    expect(await database.rows("select title, to_json(items) ->> 'hue' from items")).toEqual([["a", null]]);
    await both("twice");
    expect(await database.rows("select title, hue from items")).toEqual([["a", "red"]]);
  }
  await checkout("main");
});

test("migrations that a merge brings while cms dev applies others wait for cms migrate rebase", async () => {
  await checkout("-b", "feature");
  await save(item({ shade: text }));
  project.commit();
  await checkout("main");
  await save(item({ tint: text }));
  project.commit();
  await checkout("feature");
  const isOne = () => project.titles().includes("add_item_shade_and_add_item_tone");
  let head: string | undefined;
  const merging = meanwhile(async () => {
    project.commit();
    head = checkedOut(root);
    git("merge", "main");
  }, isOne);
  await save(item({ shade: text, tone: text }), [], merging);
  // The merge stopped at conflicts, without a commit.
  expect(checkedOut(root)).not.toBe(head);
  expect(project.titles().slice(-2)).toEqual(["add_item_tint", "add_item_shade_and_add_item_tone"]);
  const names = async () => (await namesIn(database)).slice(-1).map((name) => name.slice(15));
  expect(await names()).toEqual(["add_item_shade_and_add_item_tone"]);
  await database.script("update items set shade = 'dark'");
  const opened = await openSources(root, undefined);
  // Merged after the files were read.
  const apply = async () => applyMigrations(opened, await loadConfig(root), database, () => true);
  await expect(apply()).rejects.toThrow("were made side by side, on two branches");
  expect(await names()).toEqual(["add_item_shade_and_add_item_tone"]);
  await save(item({ shade: text, tone: text, tint: text })).catch(() => {});
  await runRebase(root, {});
  await round();
  expect(await database.rows("select title, shade, tone, tint from items")).toEqual([["a", "dark", null, null]]);
  project.commit();
  // Whoever loses the record of what was applied has it again after one round.
  rmSync(path.join(root, ".cms"), { recursive: true });
  await round();
  await checkout("main");
  expect(await database.rows("select title, tint, to_json(items) ->> 'shade' from items")).toEqual([["a", null, null]]);
});

test("a value that is written while its type changes is newer than all that was known", async () => {
  const writing = (sql: string) =>
    meanwhile(() => database.script(`${sql}; update items set updated_at = now() + interval '1 hour'`));
  const values = async () =>
    (await database.rows("select flip::text, day::text, to_json(items) ->> 'extra' from items"))[0];
  await checkout("main");
  await save(item({ flip: { type: "integer" }, day: { type: "date" } }), ["drop:item.tint"]);
  project.commit();
  await database.script("update items set flip = 76");
  await checkout("-b", "wider");
  await save(
    item({ flip: { type: "biginteger" }, day: { type: "datetime" }, extra: { ...text, default: "d", required: true } }),
    [],
    writing("update items set flip = 82"),
  );
  project.commit();
  await database.script("update items set day = '2026-01-01 10:00', extra = 'e'");
  await checkout("main");
  expect(await values()).toEqual(["82", "2026-01-01", null]);
  expect(git("checkout", "wider").status).toBe(0);
  await round([], writing("update items set day = '2026-02-02'"));
  // Nobody has written the default.
  expect(await values()).toEqual(["82", "2026-02-02 00:00:00", "e"]);
  await checkout("main");
});

test("a migration that is begun while others are being applied is not applied while it is empty", async () => {
  const [opened, config] = [await openSources(root, undefined), await loadConfig(root)];
  const begun = path.join(root, "generated/migrations/99990101000000_words");
  const script = database.script.bind(database);
  const spied = vi.spyOn(database, "script").mockImplementation((sql) => {
    mkdirSync(begun, { recursive: true });
    writeFileSync(path.join(begun, "up.sql"), "-- words\n");
    return script(sql);
  });
  onTestFinished(() => {
    spied.mockRestore();
    rmSync(begun, { recursive: true });
  });
  await expect(applyMigrations(opened, config, database, () => true)).rejects.toThrow("waits for its statements");
  expect(await namesIn(database)).not.toContain("99990101000000_words");
});

test("what the database is the reason of is tried again without a change of files", async () => {
  // On a server that tests share, what others write is seen, too.
  const alone = await freshDatabase("pglite", onTestFinished);
  await alone.script("create table items (title text not null); insert into items values ('a')");
  const retry = createRetry(alone);
  const refused = await alone.rows("insert into items default values").catch((error: unknown) => error);
  for (const error of [new MigrationError("applied here"), new DatabaseLostError("gone"), refused]) {
    expect(await retry.note(error)).toBe(true);
    expect(await retry.isDue()).toBe(false);
    await alone.script("update items set title = title");
    expect(await retry.isDue()).toBe(true);
  }
  expect(await retry.note(new CommandError("a schema file"))).toBe(false);
  await alone.script("update items set title = title");
  expect(await retry.isDue()).toBe(false);
});
