/** Versions that a build with the old name of an attribute and one with the new name keep, side by side. */
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { schema } from "../support/migration-lab.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const text = { type: "string" };
const isPrivate = { ...text, private: true };
const tags = { type: "relation", relation: "manyToMany", target: "api::tag.tag" };
const renamed = (attribute: object, from: string) => ({ ...attribute, renamedFrom: from });
const options = { draftAndPublish: false, history: true };
const old = { title: text, subtitle: text, source: isPrivate, tags };
const next = {
  title: text,
  tagline: renamed(text, "subtitle"),
  origin: renamed(isPrivate, "source"),
  labels: renamed(tags, "tags"),
  note: text,
};

const writeArticle = (root: string, attributes: object): void =>
  writeFiles(root, [["content-types/article/schema.json", JSON.stringify(schema("article", attributes, { options }))]]);

/** An answer of the server. */
// oxlint-disable-next-line no-explicit-any
type Any = any;

test("a build with an old name and one with the new name read and restore each other's versions", async () => {
  const env = { DATABASE_URL: await freshPostgresUrl(onTestFinished) };
  const older = workspace();
  writeFiles(older, [["content-types/tag/schema.json", JSON.stringify(schema("tag", { name: text }))]]);
  writeArticle(older, old);
  await cmsOutput(older, ["generate"]);
  await cmsOutput(older, ["migrate"], env);
  const secrets = { JWT_SECRET: "a secret of this test, long enough", API_TOKEN_SALT: "the salt of this test" };
  const both = { ...env, ...secrets };
  const token = (await cmsOutput(older, ["token", "create", "--name", "all", "--type", "full-access"], both)).trim();
  const newer = workspace();
  await cp(older, newer, { recursive: true });
  await rm(path.join(newer, ".cms"), { recursive: true, force: true });
  const { url: first } = await serve(older, both);
  const send = async (url: string, method: string, place: string, data?: object): Promise<Any> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = data ? { body: JSON.stringify({ data }) } : {};
    const answer = await fetch(`${url}/api/${place}`, { method, headers, ...body });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${place}: ${answer.status} ${said}`);
    return JSON.parse(said === "" ? "{}" : said);
  };
  const { documentId: tag } = (await send(first, "POST", "tags", { name: "red" })).data;
  const values = { title: "One", subtitle: "before", source: "hidden 1", tags: [tag] };
  const { documentId } = (await send(first, "POST", "articles", values)).data;
  const one = `articles/${documentId}`;

  writeArticle(newer, { ...next, note: undefined });
  await cmsOutput(newer, ["generate", "--expand"]);
  expect((await cms(newer, ["migrate"], both)).stderr).not.toContain("cannot go on");
  const { url: second } = await serve(newer, both);
  await send(first, "PUT", one, { subtitle: "by old" });
  await send(second, "PUT", one, { tagline: "by new", origin: "hidden 2" });
  await send(first, "PUT", one, { title: "Two", tags: [] });
  const versionsOf = async (url: string) => (await send(url, "GET", `${one}/versions`)).data.toReversed();
  const kept = await versionsOf(second);
  expect(kept.map(({ action }: Any) => action)).toEqual(["create", "update", "update", "update"]);
  // Each names its own attributes, but none that are private in it.
  const names = async (url: string, build: object) =>
    (await versionsOf(url)).map(
      ({ changed }: Any) => changed?.filter((name: string) => Object.hasOwn(build, name)) ?? null,
    );
  expect(await names(second, next)).toEqual([null, ["tagline"], ["tagline"], ["labels", "title"]]);
  expect(await names(first, old)).toEqual([null, ["subtitle"], ["subtitle"], ["tags", "title"]]);
  const shown = async (url: string, key: string, list: string) => {
    const all: unknown[] = [];
    for (const { id } of kept) {
      const answer = await send(url, "GET", `${one}/versions/${id}?populate=*`);
      expect(JSON.stringify(answer)).not.toContain("hidden");
      all.push([answer.data.title, answer.data[key], answer.data[list].length]);
    }
    return all;
  };
  const told = [
    ["One", "before", 1],
    ["One", "by old", 1],
    ["One", "by new", 1],
    ["Two", "by new", 0],
  ];
  expect(await shown(first, "subtitle", "tags")).toEqual(told);
  expect(await shown(second, "tagline", "labels")).toEqual(told);
  // Each restores what the other has deleted.
  await send(first, "DELETE", one);
  const restore = async (url: string) => {
    const [{ id }] = (await send(url, "GET", "articles/versions/deleted")).data;
    return (await send(url, "POST", `${one}/versions/${id}/restore`)).data;
  };
  expect(await restore(second)).toMatchObject({ title: "Two", tagline: "by new" });
  await send(second, "DELETE", one);
  expect(await restore(first)).toMatchObject({ title: "Two", subtitle: "by new" });

  await cmsOutput(newer, ["generate", "--contract"]);
  await cmsOutput(newer, ["migrate"], both);
  expect(await shown(second, "tagline", "labels")).toEqual(told);
  const database = await openPostgres(env.DATABASE_URL, 1);
  onTestFinished(() => database.close());
  const keys =
    "select distinct key from document_versions, json_object_keys(content) as key where key = any($1::text[])";
  expect(await database.rows(keys, [["subtitle", "source", "tags"]])).toEqual([]);
  expect(await database.rows("select 1 from pg_proc where proname like '%in_step'")).toEqual([]);
  await cmsOutput(newer, ["migrate", "down"], both);
  await send(first, "PUT", one, { subtitle: "back" });
  expect((await send(second, "GET", `${one}/versions/${(await versionsOf(second)).at(-1).id}`)).data.tagline).toBe(
    "back",
  );

  // A new attribute, of which an older process knows nothing, is named.
  await cmsOutput(newer, ["migrate"], both);
  writeArticle(newer, next);
  await cmsOutput(newer, ["generate"]);
  expect((await cms(newer, ["migrate"], both)).stderr).toContain(
    "processes of the older build leave out articles.note, in versions that they keep",
  );
}, 240_000);
