/** A build with an old name and one with the new name of an attribute, side by side on one database. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { component, schema } from "../support/migration-lab.ts";
import { workspace } from "../support/workspace.ts";

const actions = ["article", "tag"].flatMap((type) =>
  ["find", "findOne", "create", "update", "delete"].map((action) => `api::${type}.${type}.${action}`),
);

const configFor = (allowed: readonly string[]): string => `import { defineConfig } from "galley-cms";

export default defineConfig({ permissions: { public: ${JSON.stringify(allowed)} } });
`;

const write = async (root: string, file: string, content: object | string): Promise<void> => {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), typeof content === "string" ? content : JSON.stringify(content, null, 2));
};

const articleFile = "content-types/article/schema.json";
const article = (text: string, list: string, renamed: boolean) =>
  schema("article", {
    title: { type: "string" },
    [text]: { type: "string", unique: true, ...(renamed ? { renamedFrom: "subtitle" } : {}) },
    [list]: {
      type: "relation",
      relation: "manyToMany",
      target: "api::tag.tag",
      ...(renamed ? { renamedFrom: "tags" } : {}),
    },
  });

const call = async (url: string, method: string, place: string, data?: object) => {
  const response = await fetch(`${url}/api/${place}`, {
    method,
    ...(data ? { headers: { "content-type": "application/json" }, body: JSON.stringify({ data }) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${text}`);
  return JSON.parse(text === "" ? "{}" : text);
};

interface Build {
  readonly url: string;
  readonly text: string;
  readonly list: string;
}

/** Creates and changes articles while it is told to go on; returns what must be there, by documentId. */
const writeWhile = (build: Build, label: string, tag: string, goesOn: (turn: number) => boolean) => async () => {
  const kept = new Map<string, string>();
  for (let turn = 0; goesOn(turn); turn++) {
    const value = `${label} ${turn}`;
    const { data } = await call(build.url, "POST", "articles", {
      title: label,
      [build.text]: value,
      [build.list]: [tag],
    });
    const changed = turn % 2 === 0 ? value : `${value} changed`;
    if (changed !== value) await call(build.url, "PUT", `articles/${data.documentId}`, { [build.text]: changed });
    kept.set(data.documentId, changed);
  }
  return kept;
};

/** Everything as a build shows it: the text and the number of links by documentId. */
const shown = async ({ url, text, list }: Build): Promise<ReadonlyMap<string, readonly [string, number]>> => {
  const found = new Map<string, readonly [string, number]>();
  for (let page = 1; ; page++) {
    const { data, meta } = await call(
      url,
      "GET",
      `articles?populate=*&sort=id&pagination[pageSize]=100&pagination[page]=${page}`,
    );
    for (const each of data) found.set(each.documentId, [each[text], each[list].length]);
    if (page >= meta.pagination.pageCount) return found;
  }
};

test("a rename in two steps keeps the old build and the new one answering, and their writes in step", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const older = workspace();
  await write(older, "cms.config.ts", configFor(actions));
  await write(older, "content-types/tag/schema.json", schema("tag", { name: { type: "string" } }));
  await write(older, articleFile, article("subtitle", "tags", false));
  await cmsOutput(older, ["generate"]);
  await cmsOutput(older, ["migrate"], env);
  await cmsOutput(older, ["permissions", "apply"], env);
  const newer = workspace();
  await cp(older, newer, { recursive: true });
  await rm(path.join(newer, ".cms"), { recursive: true, force: true });
  const old: Build = { url: (await serve(older, env)).url, text: "subtitle", list: "tags" };
  const tag: string = (await call(old.url, "POST", "tags", { name: "one" })).data.documentId;
  const { data: first } = await call(old.url, "POST", "articles", { subtitle: "before", tags: [tag] });

  // The old build writes from before the new one starts until that has written as much.
  let isOver = false;
  const writing = [writeWhile(old, "old", tag, (turn) => !isOver || turn < 10)()];
  await write(newer, articleFile, article("tagline", "labels", true));
  const refused = await cms(newer, ["generate", "--check"]);
  expect(refused.stdout).toContain("_rename_article_subtitle_to_tagline");
  await cmsOutput(newer, ["generate", "--expand"]);
  expect((await cms(newer, ["migrate"], env)).stderr).not.toContain("cannot go on");
  expect(await cmsOutput(newer, ["migrate", "status"], env)).not.toContain("drift");
  const fresh: Build = { url: (await serve(newer, env)).url, text: "tagline", list: "labels" };
  writing.push(writeWhile(fresh, "new", tag, (turn) => turn < 10)());
  await writing[1];
  isOver = true;
  const kept = new Map((await Promise.all(writing)).flatMap((each) => [...each]));
  expect(kept.size).toBeGreaterThanOrEqual(20);
  const expected = new Map([...kept].map(([id, text]) => [id, [text, 1]] as const)).set(first.documentId, [
    "before",
    1,
  ]);
  expect(await shown(old)).toEqual(expected);
  expect(await shown(fresh)).toEqual(expected);
  // Links are taken out from either side, and emptied texts are empty for both.
  await call(old.url, "PUT", `articles/${first.documentId}`, { subtitle: null, tags: { disconnect: [tag] } });
  expect((await shown(fresh)).get(first.documentId)).toEqual([null, 0]);
  await call(fresh.url, "PUT", `articles/${first.documentId}`, { tagline: "again", labels: [tag] });
  expect((await shown(old)).get(first.documentId)).toEqual(["again", 1]);
  expect(await cms(newer, ["generate", "--check"])).toMatchObject({ code: 0 });

  await cmsOutput(newer, ["generate", "--contract"]);
  const contracted = await cms(newer, ["migrate"], env);
  expect(contracted.stderr).toContain("processes of the older build cannot go on");
  expected.set(first.documentId, ["again", 1]);
  expect(await shown(fresh)).toEqual(expected);
  expect(await cmsOutput(newer, ["migrate", "status"], env)).not.toContain("drift");

  const late = await cms(older, ["start", "--port", "0"], env);
  expect(late.code).toBe(2);
  expect(late.stderr).toContain("the database is newer than this build: ");
  expect(late.stderr.trim().split("\n")).toHaveLength(1);

  // The way back brings both names, and then the old one alone.
  await cmsOutput(newer, ["migrate", "down"], env);
  const allowed = { ...env, DATABASE_ALLOW_NEWER: "true" };
  const again: Build = { ...old, url: (await serve(older, allowed)).url };
  expect(await shown(again)).toEqual(expected);
  await call(again.url, "PUT", `articles/${first.documentId}`, { subtitle: "back" });
  expect((await shown(fresh)).get(first.documentId)).toEqual(["back", 1]);
  await cmsOutput(newer, ["migrate", "down"], env);
  expected.set(first.documentId, ["back", 1]);
  expect(await shown(again)).toEqual(expected);
  const database = await openPostgres(env.DATABASE_URL, 1);
  onTestFinished(() => database.close());
  const leftovers =
    "select proname from pg_proc where proname like '%in_step' union select viewname from pg_views where schemaname = 'public'";
  expect(await database.rows(leftovers)).toEqual([]);
});

test("a build that does not know a new field of a component keeps it in all that it does not write itself", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const older = workspace();
  const type = { type: "string" };
  const boxFile = "content-types/components/shared/box.json";
  await write(
    older,
    "cms.config.ts",
    configFor([...actions, "api::article.article.publish", "api::article.article.readDraft"]),
  );
  await write(older, "content-types/tag/schema.json", schema("tag", { name: type }));
  await write(older, boxFile, component({ words: type }));
  const parts = { type: "component", component: "shared.box", repeatable: true };
  const options = { draftAndPublish: true };
  await write(older, articleFile, schema("article", { title: type, parts }, { options }));
  for (const args of [["generate"], ["migrate"], ["permissions", "apply"]]) await cmsOutput(older, args, env);
  const newer = workspace();
  await cp(older, newer, { recursive: true });
  await rm(path.join(newer, ".cms"), { recursive: true, force: true });
  const { url: old } = await serve(older, env);
  await write(newer, boxFile, component({ words: type, note: type }));
  await cmsOutput(newer, ["generate"]);
  // What the older build loses is said before it can.
  expect((await cms(newer, ["migrate"], env)).stderr).toContain(
    "processes of the older build leave out shared.box.note, in entries that they save",
  );
  const { url: fresh } = await serve(newer, env);

  const at = async (url: string, id: string) => (await call(url, "GET", `articles/${id}?populate=parts`)).data.parts;
  const { data } = await call(fresh, "POST", "articles", {
    title: "one",
    parts: [
      { words: "a", note: "first" },
      { words: "b", note: "second" },
    ],
  });
  const id: string = data.documentId;
  expect(await at(old, id)).toEqual([
    { id: expect.any(Number), words: "a" },
    { id: expect.any(Number), words: "b" },
  ]);
  // It publishes what it does not know along with the rest.
  await call(old, "PUT", `articles/${id}`, { title: "two" });
  expect(await at(fresh, id)).toMatchObject([
    { words: "a", note: "first" },
    { words: "b", note: "second" },
  ]);
  const draft = (await call(fresh, "GET", `articles/${id}?populate=parts&status=draft`)).data.parts;
  expect(draft).toMatchObject([{ note: "first" }, { note: "second" }]);
  await call(old, "PUT", `articles/${id}`, { parts: [{ id: draft[0].id, words: "A" }] });
  expect(await at(fresh, id)).toMatchObject([{ words: "A", note: null }]);
});
