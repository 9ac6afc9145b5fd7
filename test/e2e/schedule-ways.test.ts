/** Setting times as the page on scheduling shows it: over REST, GraphQL and the client; and giving the option up again. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { cms, cmsOutput, repository, run, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { copyExample } from "../support/packed.ts";
import { useServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";
import { typeCheck, workspace, writeFiles } from "../support/workspace.ts";

const [option = "", body = "", answered = ""] = (await blocksOf("build/scheduling.md"))
  .filter(({ language }) => language === "json")
  .map(({ text }) => text);

const readJson = async (file: string): Promise<object> => Object(JSON.parse(await readFile(file, "utf8")));

const setOptions = async (root: string, options: object): Promise<void> => {
  for (const name of ["article", "homepage"]) {
    const file = path.join(root, "content-types", name, "schema.json");
    await writeFile(file, JSON.stringify({ ...(await readJson(file)), ...options }));
  }
};

const PROGRAM = `import { createClient } from "./generated/client/index.ts";

const [url = "", token = "", documentId = "", publishAt = ""] = process.argv.slice(2);
const cms = createClient({ url, token });
const { data } = await cms.articles.schedule(documentId, { data: { publishAt }, locale: "en" });
const { data: home } = await cms.homepage.schedule({ data: { publishAt: null }, locale: "en" });
// @ts-expect-error categories have no schedules
void cms.categories.schedule;
const at: string | null = data.publishAt;
console.log(JSON.stringify([data.documentId, at, home.publishAt, home.last?.reason]));
`;

test("times are set over REST, GraphQL and the client, of documents and of single types, until the option goes", async () => {
  const root = workspace();
  await copyExample(root);
  await useServer(root);
  await setOptions(root, JSON.parse(`{${option}}`));
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"])).trim();
  const { url, stop } = await serve(root);
  const send = async (method: string, place: string, data?: unknown): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(url + place, { method, headers, ...(data ? { body: JSON.stringify(data) } : {}) });
    return { status: response.status, body: await response.json() };
  };
  const created = await send("POST", "/api/articles?status=draft", { data: { title: "A", slug: "a" } });
  const documentId = String(Object(Object(created.body).data).documentId);
  const where = `/api/articles/${documentId}`;

  const shown = JSON.parse(answered);
  const scheduled = { ...shown, data: { ...shown.data, documentId } };
  expect(await send("POST", `${where}/actions/schedule`, JSON.parse(body))).toEqual({ status: 200, body: scheduled });
  expect(await send("GET", `${where}?status=draft`)).toMatchObject({ body: { meta: { schedule: scheduled.data } } });

  const graphql = async (text: string): Promise<unknown> =>
    (await send("POST", "/graphql", { query: `mutation { ${text} }` })).body;
  const { publishAt, unpublishAt } = shown.data;
  expect(
    await graphql(
      `scheduleArticle(id: "${documentId}", locale: "en", unpublishAt: null) { documentId locale publishAt unpublishAt last }`,
    ),
  ).toEqual({
    data: {
      scheduleArticle: {
        documentId,
        locale: "en",
        publishAt,
        unpublishAt: null,
        last: { action: "unpublish", at: unpublishAt, state: "cancelled", reason: "It was withdrawn" },
      },
    },
  });
  expect(JSON.stringify(await graphql(`scheduleArticle(id: "x", publishAt: "${publishAt}") { last }`))).toContain(
    "Document not found",
  );
  expect(
    JSON.stringify(await graphql(`scheduleArticle(id: "${documentId}", publishAt: "2001-01-01T00:00:00Z") { last }`)),
  ).toContain("publishAt: 2001-01-01T00:00:00.000Z has passed");

  expect((await send("POST", "/api/homepage/actions/schedule", JSON.parse(body))).status).toBe(404);
  await send("PUT", "/api/homepage?status=draft", { data: { title: "Home" } });
  expect(await send("POST", "/api/homepage/actions/schedule", JSON.parse(body))).toMatchObject({
    status: 200,
    body: { data: { publishAt, unpublishAt } },
  });
  expect(await send("GET", "/api/homepage?status=draft")).toMatchObject({
    body: { meta: { schedule: { publishAt } } },
  });
  expect(await graphql(`scheduleHomepage(locale: "en", unpublishAt: null) { publishAt unpublishAt }`)).toEqual({
    data: { scheduleHomepage: { publishAt, unpublishAt: null } },
  });

  writeFiles(root, [["use.ts", PROGRAM]]);
  expect((await typeCheck(root, ["use.ts"])).stdout).toBe("");
  const later = "2031-05-01T09:00:00+02:00";
  const used = await run(path.join(repository, "node_modules/.bin/jiti"), ["use.ts", url, token, documentId, later], {
    cwd: root,
  });
  expect(JSON.parse(used.stdout)).toEqual([documentId, "2031-05-01T07:00:00.000Z", null, "It was withdrawn"]);

  const sql = postgres(/DATABASE_URL=(\S+)/.exec(await readFile(path.join(root, ".env"), "utf8"))?.[1] ?? "", {
    max: 1,
  });
  onTestFinished(() => sql.end());
  await send("POST", "/api/homepage/actions/schedule", JSON.parse(body));
  await sql`update document_schedules set at = now() at time zone 'utc' where type like '%homepage' and state = 'waiting' and action = 'publish'`;
  await vi.waitUntil(async () => (await send("GET", "/api/homepage")).status === 200, SOON);
  await stop();

  await setOptions(root, { options: { draftAndPublish: true } });
  expect((await cms(root, ["generate"])).stderr).toContain(
    "table document_schedules would be dropped with all its rows",
  );
  await cmsOutput(root, ["generate", "--allow", "drop:document_schedules"]);
  const table = () => sql`select to_regclass('document_schedules')::text as name`;
  await cmsOutput(root, ["migrate"]);
  expect(await table()).toEqual([{ name: null }]);
  await cmsOutput(root, ["migrate", "down"]);
  expect(await table()).toEqual([{ name: "document_schedules" }]);
});
