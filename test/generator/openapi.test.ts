/** The OpenAPI document of the example, as tools read it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { repository } from "../support/cms.ts";

let text: string;

beforeAll(() => {
  text = readFileSync(path.join(repository, "generated/openapi.json"), "utf8");
});

test("a validator by the JSON Schema of OpenAPI takes it", async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test("a validator by rules of its own takes it, with every reference and every security scheme", async () => {
  // `/auth/sessions/{sessionId}` and `/auth/{provider}/callback` are told apart by who comes first, as in the wire format.
  const rules = { "no-ambiguous-paths": "off", "tag-description": "off" } as const;
  const config = await createConfig({ extends: ["minimal"], rules });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  expect(problems.map(({ message, location: [place] }) => `${place?.pointer ?? ""}: ${message}`)).toEqual([]);
});

/** What the compiler says of a file. */
const faultsIn = (source: string): readonly string[] => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es2023.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === "use.ts" ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023) : getSourceFile(name, ...rest);
  const program = ts.createProgram(["use.ts"], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
};

test("openapi-typescript makes types of it that hold what answers and bodies do", async () => {
  const types = astToString(await openapiTS(text));
  const use = `
type Answer = paths["/api/articles"]["get"]["responses"]["200"]["content"]["application/json"];
type Body = paths["/api/authors"]["post"]["requestBody"];
declare const answer: Answer;
export const title: string | null | undefined = answer.data[0]?.title;
export const name: string | undefined = answer.data[0]?.author?.name;
export const zone = (answer.data[0]?.sections ?? []).map((entry) => entry.__component === "blocks.quote" ? entry.text : "");
export const body: Body = { content: { "application/json": { data: { name: "Ada", slug: "ada" } } } };
type User = paths["/api/users"]["post"]["requestBody"];
const ada = { username: "ada", email: "ada@example.com", password: "Passw0rd!" };
export const user: User = { content: { "application/json": { ...ada, role: 1 } } };
// @ts-expect-error
export const roleless: User = { content: { "application/json": ada } };
// @ts-expect-error
export const wrong = answer.data[0]?.titel;
// @ts-expect-error
export const none: Body = { content: { "application/json": { data: {} } } };
`;
  expect(faultsIn(types + use)).toEqual([]);
});
