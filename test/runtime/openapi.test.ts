/** Who may read the OpenAPI document, and what it says of the routes that there are. */
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { describeTables } from "../../generator/migrate/tables/describe-tables.ts";
import { auditLog } from "../../runtime/audit/tables.ts";
import { isRecord as isObject } from "../../runtime/base/is-record.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { APPEND_ONLY } from "../../runtime/database/migrations/append-only.ts";
import * as eventTables from "../../runtime/events/tables.ts";
import { uploadFolders } from "../../runtime/folders/tables.ts";
import { documentation } from "../../runtime/openapi/page.ts";
import { documentSchedules } from "../../runtime/schedules/tables.ts";
import { shareLinks } from "../../runtime/sharing/tables.ts";
import { at, textAt } from "../support/auth-app.ts";
import { creationSql } from "../support/creation-sql.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";
import { after, application, HOUR, uid } from "./history/world.ts";

const example = async (config: ConfigInput) => exampleApp(onTestFinished, await exampleDatabase(), config);

const isRecord = (value: unknown): value is Record<string, Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The features that add routes where they are configured; articles can be scheduled besides. */
const FEATURES: ConfigInput = {
  audit: true,
  events: { stream: { path: "/changes" } },
  media: { folders: true },
  sharing: {},
};

const withFeatures = async (config: ConfigInput = {}) => {
  const database = await exampleDatabase(onTestFinished);
  await database.script(APPEND_ONLY);
  const tables = [auditLog, documentSchedules, shareLinks, uploadFolders, ...Object.values(eventTables)];
  await database.script(creationSql(describeTables(tables)));
  return exampleApp(onTestFinished, database, { ...FEATURES, ...config }, application);
};

test.each([
  ["without features", example],
  ["with features", withFeatures],
])("the document tells of every route that there is below its prefix, and of no other: %s", async (_, served) => {
  const { app, send } = await served({ rest: { prefix: "/content" } });
  const { body } = await send("GET", "/content/openapi.json");
  const paths = isRecord(body) && isRecord(body["paths"]) ? body["paths"] : {};
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ":")}`),
  );
  const there = app.routes
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/content/") && !path.endsWith("/openapi.json"))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);
  expect(told.filter((route) => !route.endsWith("/graphql")).toSorted()).toEqual([...new Set(there)].toSorted());
});

/** Allows no members that a schema does not name. */
const closed = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(closed);
  if (!isObject(part)) return part;
  const members = Object.fromEntries(Object.entries(part).map(([name, member]) => [name, closed(member)]));
  return isObject(part["properties"]) ? { ...members, additionalProperties: false } : members;
};

/** The faults of an answer by the document. */
const faultsIn = (document: unknown, [method, path]: readonly [string, string], status: number, body: unknown) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const { components, paths } = Object(document);
  const { responses } = paths[path][method.toLowerCase()];
  const said = responses[status] ?? components.responses.Error;
  if (status === 204) return said.content === undefined && body === "" ? [] : ["there is a body"];
  const schema: unknown = said.content["application/json"].schema;
  // The draft that a link leads to may be of any type.
  ajv.addSchema({ $id: "document.json", components, asked: path === "/api/preview" ? schema : closed(schema) });
  const validate = ajv.compile({
    $ref: "document.json#/asked",
  });
  return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

test("routes of features answer as the document says, and with nothing besides", async () => {
  const { send, token, services } = await withFeatures();
  const all = await token();
  const { body: document } = await send("GET", "/api/openapi.json");
  const ask = async (method: string, template: string, given: { id?: string; query?: string; data?: object } = {}) => {
    const path = template.replace(/\{\w+\}/, given.id ?? "");
    const body = given.data === undefined ? {} : { body: { data: given.data } };
    const answer = await send(method, `${path}${given.query ?? ""}`, { token: all, ...body });
    const faults = faultsIn(document, [method, template], answer.status, answer.body);
    expect([template, answer.status, faults]).toEqual([template, answer.status, []]);
    return answer;
  };
  const url = "http://127.0.0.1:9/receiver";
  const webhook = "/api/events/webhooks";
  expect((await ask("POST", webhook, { data: { name: "site", url, events: ["entry.publish"] } })).status).toBe(201);
  expect((await ask("POST", webhook, { data: { name: "site", url } })).status).toBe(400);
  await ask("POST", `${webhook}/{name}/test`, { id: "site" });
  const article = await services.documents(uid).create({ status: "draft", data: { title: "A", slug: "a" } });
  const { documentId } = article;
  for (const pause of ["pause", "resume"]) await ask("POST", `${webhook}/{name}/${pause}`, { id: "site" });
  await ask("GET", webhook);
  await ask("GET", "/api/events/deliveries", { query: "?limit=1" });
  await ask("GET", "/api/events/deliveries", { query: "?limit=x" });
  await ask("POST", "/api/events/deliveries/replay", { query: "?consumer=site" });
  const publishAt = after(HOUR);
  await ask("POST", "/api/articles/{documentId}/actions/schedule", { id: documentId, data: { publishAt } });
  expect(at((await ask("GET", "/api/schedules/articles")).body, "data.0.documentId")).toBe(documentId);
  const link = await ask("POST", "/api/share-links", { data: { uid, documentId, expiresAt: publishAt } });
  expect(link.status).toBe(201);
  const shared = await ask("GET", "/api/share-links", { query: `?uid=${uid}&documentId=${documentId}` });
  expect(at(shared.body, "data.0.id")).toBe(textAt(link.body, "data.id"));
  const preview = `?token=${textAt(link.body, "data.token")}&fields=title`;
  expect((await ask("GET", "/api/preview", { query: preview })).status).toBe(200);
  expect((await ask("GET", "/api/preview")).status).toBe(404);
  expect((await ask("DELETE", "/api/share-links/{id}", { id: textAt(link.body, "data.id") })).status).toBe(204);
  expect((await ask("GET", "/api/audit-log", { query: "?action=webhook&limit=2" })).status).toBe(200);
  expect((await ask("GET", "/api/audit-log", { query: "?acton=webhook" })).status).toBe(400);
  expect((await ask("DELETE", `${webhook}/{name}`, { id: "site" })).status).toBe(204);
  const folder = await send("POST", "/api/upload/folders", { token: all, body: { name: "Pictures" } });
  expect(folder.status).toBe(201);
  const id = String(at(folder.body, "id"));
  expect((await ask("GET", "/api/upload/folders")).status).toBe(200);
  expect((await ask("GET", "/api/upload/folders/{id}/files", { id })).status).toBe(200);
  expect((await ask("DELETE", "/api/upload/folders/{id}", { id })).status).toBe(200);
  const stream = Object(document).paths["/api/changes"].get;
  expect(Object.keys(stream.responses[200].content)).toEqual(["text/event-stream"]);
  const named = stream.parameters.map(({ name }: { readonly name: string }) => name);
  expect(named).toEqual(["events", "types", "locales", "documentId", "Last-Event-ID"]);
});

test.each([
  { openapi: { access: "public", page: "/docs/api" }, statuses: [200, 200, 404] },
  { openapi: { access: "public", page: false }, statuses: [200, 404, 404] },
  { openapi: { access: "disabled" }, statuses: [404, 404, 404] },
] as const)("the document and the page are where $openapi says", async ({ openapi, statuses }) => {
  const { send } = await example({ openapi });
  const answers = await Promise.all(
    ["/api/openapi.json", "/docs/api", "/documentation"].map((path) => send("GET", path)),
  );
  expect(answers.map(({ status }) => status)).toEqual(statuses);
});

const zoneFiltersOf = async (search: object) => {
  const { body } = await (await example({ search })).send("GET", "/api/openapi.json");
  return Object(body).components.schemas.ArticleFilters.properties.sections;
};

test("filters reach the entries of zones where they may", async () => {
  expect(await zoneFiltersOf({})).toBeUndefined();
  expect(await zoneFiltersOf({ zoneFilters: true })).toMatchObject({
    properties: {
      "blocks.text": { $ref: "#/components/schemas/BlocksTextFilters" },
      __component: { anyOf: [{ enum: expect.arrayContaining(["blocks.text"]) }, {}, {}] },
    },
  });
});

test("without Swagger UI the page names the package to install, and there are no files of it", async () => {
  const { body, file } = documentation("/documentation", "/api/openapi.json", "file:///module.js");
  expect(String(await body)).toContain("npm install swagger-ui-dist");
  expect(String(await body)).not.toContain("<script");
  expect(file).toBeUndefined();
});
