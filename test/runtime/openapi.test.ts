/** Who may read the OpenAPI document, and what it says of the routes that there are. */
import { expect, onTestFinished, test } from "vitest";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { documentation } from "../../runtime/openapi/page.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

const example = async (config: ConfigInput) => exampleApp(onTestFinished, await exampleDatabase(), config);

const isRecord = (value: unknown): value is Record<string, Record<string, unknown>> =>
  typeof value === "object" && value !== null;

test("the document tells of every route that there is below its prefix, and of no other", async () => {
  const { app, send } = await example({ rest: { prefix: "/content" } });
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
