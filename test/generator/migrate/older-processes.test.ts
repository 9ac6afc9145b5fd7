/** What migrations say of processes of the older build, and of renames in two steps that keep these going. */
import { rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cms } from "../../support/cms.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { schema } from "../../support/migration-lab.ts";
import { migrationProject } from "../../support/migration-project.ts";

const text = { type: "string" };
const schemaFile = "content-types/article/schema.json";
const article = (attributes: object) => schema("article", attributes);

test("a migration says whether processes of the older build go on, and so does the command that applies it", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const { root, write, names, read } = migrationProject();
  const headOf = (file: string) => read(`generated/migrations/${names().at(-1)}/${file}`).split("\n\n")[0];
  write(schemaFile, article({ title: text }));
  await cms(root, ["generate"]);
  await cms(root, ["migrate"], env);
  write(schemaFile, article({ title: text, subtitle: text }));
  await cms(root, ["generate"]);
  expect(headOf("up.sql")).toContain("-- Older: processes of that build go on while this runs and after it");
  expect(headOf("down.sql")).toMatch(/-- Newer: stop processes of that build .*\n-- +drops articles.subtitle/);
  expect((await cms(root, ["migrate"], env)).stderr).toBe("");
  write(schemaFile, article({ title: text, tagline: { ...text, renamedFrom: "subtitle" } }));
  const renamed = await cms(root, ["generate"]);
  expect(renamed.stdout).toContain("processes of the older build fail with it");
  expect(headOf("up.sql")).toMatch(
    /-- Older: stop processes of that build .*\n-- +renames articles.subtitle to tagline/,
  );
  expect((await cms(root, ["migrate"], env)).stderr).toContain(
    "processes of the older build cannot go on: this renames articles.subtitle to tagline",
  );
  write(schemaFile, article({ title: text, tagline: { type: "integer" } }));
  const other = await cms(root, ["generate", "--expand"]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("there is nothing to expand");
  expect((await cms(root, ["generate", "--contract"])).stderr).toContain("there is nothing to contract");
});

test("what has no rename in two steps is refused with what to do instead, and its header says who has to stop", async () => {
  const { root, write, names, read } = migrationProject();
  const page = (name: string, attributes: object, hints: object = {}) => {
    const info = { singularName: name, pluralName: `${name}s`, displayName: name, ...hints };
    const box = { type: "component", component: "shared.box" };
    rmSync(path.join(root, "content-types/page"), { recursive: true, force: true });
    write(`content-types/${name}/schema.json`, schema(name, { ...attributes, box }, { info }));
  };
  const box = (attributes: object) =>
    write("content-types/components/shared/box.json", { info: { displayName: "Box" }, attributes });
  const older = () => /-- Older: .*\n-- +.*/.exec(read(`generated/migrations/${names().at(-1)}/up.sql`))?.[0];
  const noTwoNames =
    "names of types, of components and of fields inside components cannot stand twice. Leave out --expand, and stop the " +
    "processes of the older build before `cms migrate`. Where they have to go on, add the new field beside the old one";
  box({ words: text });
  page("page", { title: text });
  await cms(root, ["generate"]);

  box({ phrase: { ...text, renamedFrom: "words" } });
  expect(await cms(root, ["generate", "--expand"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(noTwoNames),
  });
  page("page", { heading: { ...text, renamedFrom: "title" } });
  expect(await cms(root, ["generate", "--expand"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("it rewrites pages.box. Make that a migration of its own, without --expand"),
  });
  page("page", { title: text });
  expect(await cms(root, ["generate"])).toMatchObject({ code: 0 });
  expect(older()).toMatch(/stop processes of that build .*\n-- +rewrites pages.box/);

  page("leaf", { title: text }, { renamedFrom: "page" });
  expect(await cms(root, ["generate", "--expand"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(noTwoNames),
  });
  expect(await cms(root, ["generate"])).toMatchObject({ code: 0 });
  expect(older()).toMatch(/stop processes of that build .*\n-- +renames/);
});

test("names that are traded, follow one another or are used again have no rename in two steps", async () => {
  const { root, write, names } = migrationProject();
  const page = (attributes: object) => write("content-types/page/schema.json", schema("page", attributes));
  const from = (name: string) => ({ ...text, renamedFrom: name });
  page({ title: text, lead: text });
  await cms(root, ["generate"]);
  for (const [attributes, name] of [
    [{ title: from("lead"), lead: from("title") }, "pages.lead to title, pages.title to lead"],
    [{ lead: from("title"), intro: from("lead") }, "pages.title to lead"],
    [{ head: from("title"), title: { type: "integer" }, lead: text }, "pages.title to head"],
  ] as const) {
    page(attributes);
    const { code, stderr } = await cms(root, ["generate", "--expand"]);
    expect(code).toBe(2);
    expect(stderr).toContain("one of these names stands for something else");
    expect(stderr).toContain(name);
  }
  expect(names()).toHaveLength(1);
});

test("a migration says of which types versions are kept from then on, and that older processes keep none", async () => {
  const { write, names, read, root } = migrationProject();
  const headOf = (file: string) => read(`generated/migrations/${names().at(-1)}/${file}`).split("\n\n")[0];
  const note = (options: object) =>
    write("content-types/note/schema.json", schema("note", { title: text }, { options }));
  write(schemaFile, schema("article", { title: text }, { options: { history: true } }));
  note({});
  await cms(root, ["generate"]);
  note({ history: true });
  await cms(root, ["generate"]);
  expect(headOf("up.sql")).toContain("keeps the versions of api::note.note from now on");
  expect(headOf("up.sql")).toMatch(/-- Older: .*, but\n-- +keep no versions of api::note.note, of what they write/);
  expect(headOf("down.sql")).toContain("keeps no further versions of api::note.note");
  expect((await cms(root, ["generate", "--check"])).code).toBe(0);
});
