/** The custom code of portals, shops and guides in public, ported into one small project: what it did there it does here. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Application } from "../../runtime/app/application.ts";
import { createTestServer } from "../../runtime/app/testing/index.ts";
import { cmsOutput } from "../support/cms.ts";
import { SOON } from "../support/soon.ts";
import { typeCheck, workspace } from "../support/workspace.ts";

const cleanups: (() => unknown)[] = [];
const folder = workspace(path.join(import.meta.dirname, "portal"), (work) => cleanups.push(work));
let server: Awaited<ReturnType<typeof start>>;
let token: string;

interface Named {
  readonly documentId: string;
}

/** The document service, as far as it is used here. */
interface Pages {
  create(query: object): Promise<Named>;
  createMany(query: object): Promise<readonly string[]>;
  find(query?: object): Promise<readonly Named[]>;
  findOne(documentId: string): Promise<Named | null>;
  exists(query: object): Promise<boolean>;
  publish(documentId: string): Promise<unknown>;
}

/** Starts the project, whose types are those of another one than this. */
const start = async () => {
  await cmsOutput(folder, ["generate"]);
  const { default: application }: { default: Application } = await import(`${folder}/generated/index.ts`);
  const server = await createTestServer({ root: folder, application });
  const documents = server.documents as unknown as (uid: string) => Pages;
  return { ...server, documents, own: server.services.own as unknown as { frontend: { told: string[] } } };
};

beforeAll(async () => {
  server = await start();
  token = await server.token();
}, 120_000);

afterAll(async () => {
  await server?.close();
  for (const cleanup of cleanups) cleanup();
});

const send = async (method: string, address: string, body?: object, by = token, more: Record<string, string> = {}) => {
  const headers = { "Content-Type": "application/json", ...(by && { authorization: `Bearer ${by}` }), ...more };
  const answer = await server.request(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
};

const ask = async (query: string, by = token) => (await send("POST", "/graphql", { query }, by)).body;

test("paths follow the tree, with redirects from where pages were, and what was there before is kept", async () => {
  const pages = server.documents("api::page.page");
  const about = await pages.create({ data: { title: "About", slug: "about" } });
  const team = await pages.create({ data: { title: "Team", slug: "team", parent: about.documentId } });
  await send("PUT", `/api/pages/${about.documentId}`, { data: { slug: "company", title: "Company" } });
  await pages.publish(team.documentId);
  expect(await pages.findOne(team.documentId)).toMatchObject({ path: "/company/team" });
  expect(
    await server.documents("api::redirect.redirect").find({ fields: ["source", "target"], sort: "id" }),
  ).toMatchObject([
    { source: "/about", target: "/company" },
    { source: "/about/team", target: "/company/team" },
  ]);
  expect(await server.documents("api::revision.revision").find()).toMatchObject([{ title: "About", by: "token" }]);
  expect(server.own.frontend.told).toContain("/company/team");
  const refused = await send("POST", "/api/pages", { data: { title: "Bad", slug: "no//good" } });
  expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("hyphens") } } });
});

test("pages are found by their path and by what is in them, counted, and marked instead of deleted", async () => {
  const pages = server.documents("api::page.page");
  const sections = [{ __component: "blocks.note" as const, text: "Read me" }];
  const { documentId } = await pages.create({ data: { title: "Notes", slug: "notes", sections } });
  expect((await send("GET", "/api/pages/at?path=/notes")).status).toBe(404);
  await pages.publish(documentId);
  expect((await send("GET", "/api/pages/at?path=/notes")).body).toMatchObject({
    data: { title: "Notes", children: [] },
  });
  expect((await send("GET", "/api/pages/at?path=/notes", undefined, "")).status).toBe(403);
  vi.stubEnv("PORTAL_SECRET", "a word");
  const within = (secret: string) => send("GET", "/api/pages/with/blocks.note", undefined, "", { "x-secret": secret });
  expect((await within("a word")).body).toEqual({ data: ["Notes"] });
  expect((await within("another")).status).toBe(401);
  const one = () => send("GET", `/api/pages/${documentId}`);
  expect((await one()).body).toMatchObject({ data: { views: 0 } });
  expect((await one()).body).toMatchObject({ data: { views: 1 } });
  expect((await send("DELETE", `/api/pages/${documentId}`)).status).toBe(204);
  expect((await one()).status).toBe(404);
  expect(await pages.findOne(documentId)).toMatchObject({ title: "Notes", deleted: true });
});

test("who registers is greeted, has favourites of their own, and sees and deletes no others", async () => {
  const register = async (username: string): Promise<string> => {
    const user = { username, email: `${username}@example.com`, password: "a long password" };
    return (await send("POST", "/api/auth/local/register", user, "")).body.jwt;
  };
  const [ada, bob] = [await register("ada"), await register("bob")];
  // Nobody waits for a greeting: they come when they come.
  const greetings = () => server.mails.map(({ text }) => text).toSorted();
  await vi.waitFor(() => expect(greetings()).toEqual(["Hello ada", "Hello bob"]), SOON);
  const page = await server.documents("api::page.page").create({ data: { title: "Liked", slug: "liked" } });
  const like = (by: string) => send("POST", "/api/favorites", { data: { page: page.documentId } }, by);
  expect((await like(ada)).status).toBe(201);
  expect((await like(ada)).status).toBe(400);
  const { documentId } = (await like(bob)).body.data;
  expect((await send("GET", "/api/favorites", undefined, ada)).body.data).toHaveLength(1);
  expect((await send("GET", "/api/favorites")).body.data).toEqual([]);
  expect((await send("DELETE", `/api/favorites/${documentId}`, undefined, ada)).status).toBe(403);
  expect((await send("DELETE", `/api/favorites/${documentId}`, undefined, bob)).status).toBe(204);
});

test("a task publishes and takes away at their time", async () => {
  const pages = server.documents("api::page.page");
  const at = (showFrom: string, showUntil: string | null, slug: string) =>
    pages.create({ data: { title: slug, slug, showFrom, showUntil }, status: "draft" });
  const shown = await at("2020-01-01T00:00:00Z", null, "shown");
  const later = await at("2999-01-01T00:00:00Z", null, "later");
  const over = await at("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "over");
  await pages.publish(over.documentId);
  await server.runTask("schedule");
  const isOut = async ({ documentId }: Named) => pages.exists({ filters: { documentId } });
  expect(await Promise.all([shown, later, over].map(isOut))).toEqual([true, false, false]);
});

test("GraphQL has a field that is worked out, a query of its own and a mutation that mails", async () => {
  const page = await server.documents("api::page.page").create({ data: { title: "Rated", slug: "rated" } });
  await server.documents("api::page.page").publish(page.documentId);
  const data = [3, 4].map((stars) => ({ stars, page: page.documentId }));
  await server.documents("api::review.review").createMany({ data });
  expect(await ask('{ titleAt(path: "/rated") }', "")).toEqual({ data: { titleAt: "Rated" } });
  const rated = '{ pages(filters: { title: { eq: "Rated" } }) { data { attributes { note } } } }';
  expect(await ask(rated)).toEqual({ data: { pages: { data: [{ attributes: { note: 3.5 } }] } } });
  expect(await ask('mutation { contact(text: "Hello") }', "")).toEqual({ data: { contact: true } });
  expect(server.mails.at(-1)).toMatchObject({ to: "office@example.com", text: "Hello" });
});

const check = () =>
  typeCheck(folder, ["generated/*.ts", "generated/*/*.ts", "generated/users-permissions", "content-types"]);

test("each of these files is typed: where an attribute has another name it does not compile", async () => {
  expect(await check()).toEqual({ code: 0, stdout: "", stderr: "" });
  for (const [type, from] of [
    ["page", "path"],
    ["favorite", "user"],
    ["users-permissions/user", "username"],
  ] as const) {
    for (const file of ["document.ts", "validator.ts"]) {
      const at = path.join(folder, "generated", type, file);
      writeFileSync(at, readFileSync(at, "utf8").replaceAll(new RegExp(`\\b${from}(\\??: )`, "g"), "renamed$1"));
    }
  }
  const { stdout } = await check();
  for (const name of ["app", "page/extension", "favorite/extension", "users-permissions/user/extension"]) {
    expect(stdout).toContain(`content-types/${name}.ts`);
  }
});
