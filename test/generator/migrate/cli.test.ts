/** `cms migrate` and `cms rename` as commands. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSources } from "../../../generator/commands/generate/project.ts";
import { generate } from "../../../generator/commands/generate/run.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { cms, cmsProcess } from "../../support/cms.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { schema } from "../../support/migration-lab.ts";
import { migrationProject } from "../../support/migration-project.ts";

const text = { type: "string" };
const schemaFile = "content-types/article/schema.json";
const article = (attributes: object) => schema("article", attributes);

test("a loss is refused with the flag that allows it, and that flag works", async () => {
  const { root, write } = migrationProject();
  write(schemaFile, article({ title: text, subtitle: text }));
  expect((await cms(root, ["generate"])).code).toBe(0);
  write(schemaFile, article({ title: text }));
  const refused = await cms(root, ["generate"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("column articles.subtitle would be dropped with all its values");
  const [, flag = ""] = /to allow all of it:\n {2}cms generate (.*)/.exec(refused.stderr) ?? [];
  expect(flag).toBe("--allow drop:article.subtitle");
  expect((await cms(root, ["generate", "--check"])).code).toBe(1);
  const allowed = await cms(root, ["generate", ...flag.split(" ")]);
  expect(allowed.stderr).toBe("");
  expect(allowed.stdout).toMatch(/migrations\/\d{14}_remove_article_subtitle\//);
  expect((await cms(root, ["generate", "--check"])).code).toBe(0);
});

test("a change of the tables that no schema file asks for is named after what it does", async () => {
  const { root, write, names, read } = migrationProject();
  write(schemaFile, article({ title: text }));
  await cms(root, ["generate"]);
  // As if an older version of the package had made it.
  const file = `generated/migrations/${names()[0]}/snapshot.json`;
  const snapshot = JSON.parse(read(file));
  delete snapshot.tables.files.columns.folder_path;
  write(file, snapshot);
  await cms(root, ["generate"]);
  expect(names().at(-1)).toMatch(/^\d{14}_add_files_folder_path$/);
});

test("what is new and required gets its default, and is counted where it has none", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const { root, write, names, read } = migrationProject();
  const box = { type: "component", component: "shared.box" };
  const boxFile = (attributes: object) =>
    write("content-types/components/shared/box.json", { info: { displayName: "Box" }, attributes });
  write(schemaFile, article({ title: text, box }));
  boxFile({ label: text });
  await cms(root, ["generate"]);
  await cms(root, ["migrate"], env);
  const database = await openPostgres(env.DATABASE_URL, 1);
  onTestFinished(() => database.close());
  await database.script(`insert into documents values ('a1', 'api::article.article');
    insert into articles (document_id, created_at, updated_at, published_at, title, box)
    values ('a1', now(), now(), now(), 'there', '{"id":1,"label":"x"}')`);
  write(
    schemaFile,
    article({
      title: text,
      box,
      rank: { type: "integer", required: true, default: 3 },
      state: { type: "enumeration", enum: ["it's new", "old"], required: true, default: "it's new" },
      since: { type: "datetime", required: true, default: "2026-01-02T03:04:05.678Z" },
      facts: { type: "json", required: true, default: { a: 1 } },
      hint: { type: "integer", default: 7 },
      summary: { type: "text", required: true },
    }),
  );
  boxFile({ label: text, size: { type: "integer", required: true, default: 5 }, note: text });
  expect((await cms(root, ["generate"])).code).toBe(0);
  const sql = read(`generated/migrations/${names().at(-1)}/up.sql`);
  expect(sql).toContain("adds articles.rank, with '3' in the rows that are there");
  expect(sql).toContain("-- Lacks: articles.summary\n");
  const { stdout } = await cms(root, ["migrate"], env);
  expect(stdout).toContain("1 row of articles without summary, which is required now");
  expect(await database.rows("select rank, state, since::text, facts::text, hint, summary, box from articles")).toEqual(
    [
      [
        3,
        "it's new",
        "2026-01-02 03:04:05.678",
        '{"a":1}',
        null,
        null,
        expect.stringMatching(/"label" : "x", "size" : 5/),
      ],
    ],
  );
  const [defaults] = await database.rows(
    "select count(*)::int from information_schema.columns where table_name = 'articles' and column_default is not null",
  );
  expect(defaults).toEqual([0]);
});

test("cms migrate tells what it would do, does it, undoes it, and finds what was changed by hand", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const { root, write, names } = migrationProject();
  write(schemaFile, article({ title: text }));
  await cms(root, ["generate"]);
  const dry = await cms(root, ["migrate", "--dry-run"], env);
  expect(dry.stdout).toContain('create table "articles"');
  expect((await cms(root, ["migrate", "status"], env)).code).toBe(1);
  expect((await cms(root, ["migrate"], env)).stdout).toContain(`apply ${names()[0]}`);
  expect(await cms(root, ["migrate", "status"], env)).toMatchObject({ code: 0 });

  const database = await openPostgres(env.DATABASE_URL, 1);
  await database.script(`alter table articles drop column title; drop index articles_draft_idx`);
  const status = await cms(root, ["migrate", "status"], env);
  expect(status.stdout).toContain("drift    column articles.title is missing");
  expect(status.stdout).toContain("drift    index articles_draft_idx of articles is missing");
  const refused = await cms(root, ["migrate"], env);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("column articles.title is missing");
  await database.close();

  const lossy = await cms(root, ["migrate", "down"], env);
  expect(lossy).toMatchObject({ code: 2 });
  expect(lossy.stderr).toContain(`every row of articles (${names()[0]})`);
  expect((await cms(root, ["migrate", "down", "--allow-loss"], env)).stdout).toBe(`undo ${names()[0]}\n1 undone\n`);
  expect((await cms(root, ["migrate", "new", "Add search!"], env)).stdout).toMatch(/\d{14}_add_search/);
  expect(names()).toHaveLength(2);
  expect(await cms(root, ["migrate"], env)).toMatchObject({ code: 0 });
});

test("cms migrate goes to the migration that is named, and nowhere when there is none", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const { root, write, names } = migrationProject();
  write(schemaFile, article({ title: text }));
  await cms(root, ["generate"]);
  for (const name of ["one", "two", "three"]) await cms(root, ["migrate", "new", name]);
  const [, one = "", two = "", three = ""] = names();
  const run = (...args: string[]) => cms(root, ["migrate", ...args], env);
  const applied = async () =>
    (await run("status")).stdout.split("\n").flatMap((line) => /^applied +(\S+)/.exec(line)?.[1] ?? []);

  expect((await run("--to", `${two}x`)).stderr).toContain(`there is no migration "${two}x". Did you mean "${two}"?`);
  expect((await run("--to", `${two}x`, "--dry-run")).code).toBe(2);
  expect(await applied()).toEqual([]);
  expect((await run("--to", two, "--dry-run")).stdout).not.toContain("three");
  await run("--to", two);
  expect(await applied()).toEqual(names().slice(0, 3));
  await run();
  expect((await run("down", "--to", "nowhere")).stderr).toContain('no migration "nowhere" is applied here');
  expect((await run("down", "--to", one, "--dry-run")).stdout).toMatch(/three, undone[^]*two, undone/);
  expect((await run("down", "--ignore-drift")).stderr).toContain('"cms migrate down" has no option --ignore-drift');
  expect((await run("new", "four", "--dry-run")).stderr).toContain('"cms migrate new" has no option --dry-run');
  expect(await applied()).toEqual(names());
  expect((await run("down", "--to", one)).stdout).toBe(`undo ${three}\nundo ${two}\n2 undone\n`);
  expect(await applied()).toEqual(names().slice(0, 2));
});

test("one command ends a merge: what main has stays, and the branch's migration is made anew as it was allowed", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const { root, write, names, migrations } = migrationProject();
  const git = (...args: string[]) =>
    spawnSync("git", ["-C", root, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
      encoding: "utf8",
    });
  const generated = async (allow: readonly string[] = []) => generate(await openSources(root, undefined), { allow });
  const commit = async (attributes: object, allow?: readonly string[]) => {
    write(schemaFile, article(attributes));
    const { migration } = await generated(allow);
    git("add", "--all");
    git("commit", "--message", "Change");
    return migration?.name ?? "";
  };
  git("init", "--initial-branch=main");
  write(".gitignore", ".cms\n");
  await commit({ title: text, subtitle: text });
  git("branch", "topic");
  const before = await commit({ title: text, subtitle: text, first: text });
  const after = await commit({ title: text, subtitle: text, first: text, second: text });
  git("mv", path.join(migrations, after), path.join(migrations, "29990101000000_add_article_second"));
  git("commit", "--message", "Later than the branch");
  git("switch", "topic");
  const own = await commit({ title: text }, ["drop:article.subtitle"]);
  expect(own > before).toBe(true);
  for (const merge of ["main", "main^{commit}"]) {
    expect(git("merge", merge).stdout).toContain("CONFLICT");
    write(schemaFile, article({ title: text, first: text, second: text }));
    await expect(generated()).rejects.toThrow('"cms migrate rebase"');
    expect(await cms(root, ["migrate", "rebase"], env)).toMatchObject({ code: 0, stderr: "" });
    git("add", "--all");
    const changes = git("diff", "--cached", "--name-status", "main", "--", migrations).stdout;
    expect(changes.match(/^[^A].*/gm)).toBe(null);
    expect(names()).toEqual([
      expect.stringMatching(/_initial$/),
      before,
      "29990101000000_add_article_second",
      "29990101000001_remove_article_subtitle",
    ]);
    expect((await generated()).migration).toBe(undefined);
    git("reset", "--hard");
  }
});

const formatted = `{
    "kind": "collectionType",   "collectionName": "articles",
    "info": { "singularName": "article", "pluralName": "articles", "displayName": "Article" },
    "options": { "draftAndPublish": false, "privateAttributes": ["subtitle"] },
    "attributes": {
        "subtitle": { "type": "string", "maxLength": 80 },
        "slug": {
            "type": "uid",
            "targetField": "subtitle"
        }
    }
}
`;

test("cms rename changes schema, code and database, and nothing else", async () => {
  const { root, write, read, names } = migrationProject();
  write(schemaFile, formatted);
  write(
    "tools/print.ts",
    [
      'import type { Article } from "../generated/article/document.ts";',
      "// subtitle",
      "export const print = (article: Article): string => `${article.subtitle} subtitle`;",
      "export const other = { subtitle: 1 };",
      "",
    ].join("\n"),
  );
  await cms(root, ["generate"]);
  const renamed = await cmsProcess(root, ["rename", "article.subtitle", "tagline"]);
  expect(renamed.stderr).toBe("");
  expect(read(schemaFile)).toBe(
    formatted
      .replace('"privateAttributes": ["subtitle"]', '"privateAttributes": ["tagline"]')
      .replace(
        '"subtitle": { "type": "string", "maxLength": 80 }',
        '"tagline": { "type": "string", "maxLength": 80, "renamedFrom": "subtitle" }',
      )
      .replace('"targetField": "subtitle"', '"targetField": "tagline"'),
  );
  expect(read("tools/print.ts").split("\n")).toEqual([
    'import type { Article } from "../generated/article/document.ts";',
    "// subtitle",
    "export const print = (article: Article): string => `${article.tagline} subtitle`;",
    "export const other = { subtitle: 1 };",
    "",
  ]);
  expect(renamed.stdout).toContain("tools/print.ts:3");
  expect(names().at(-1)).toMatch(/_rename_article_subtitle_to_tagline$/);
  expect(read(`generated/migrations/${names().at(-1)}/up.sql`)).toContain('rename column "subtitle" to "tagline"');
  const wrong = await cms(root, ["rename", "article.nothing", "x"]);
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("it has tagline, slug");
});
