/** The lines of `validator.ts` are what runs: a server changes its mind with each of them, on every path. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Project, SyntaxKind } from "ts-morph";
import { afterAll, expect, test } from "vitest";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { at, type AuthApp, authApp } from "../../support/auth-app.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { renderProject } from "../../support/render-project.ts";
import { secrets } from "../../support/services.ts";
import { workspace, writeFiles } from "../../support/workspace.ts";
import { type AttributeCase, attributeCases, componentCases, FILE, scalarNames, TARGET } from "./attribute-cases.ts";

type Cases = Readonly<Record<string, AttributeCase>>;

const attributesOf = (cases: Cases): object =>
  Object.fromEntries(Object.entries(cases).map(([name, { attribute }]) => [name, attribute]));

const contentType = (name: string, attributes: object) => ({
  kind: "collectionType",
  collectionName: `${name}_rows`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: name !== "target" },
  pluginOptions: { i18n: { localized: name === "thing" } },
  attributes,
});

const component = (attributes: object) => ({ collectionName: "parts", info: { displayName: "Part" }, attributes });
const label = { label: { type: "string" } };
const whole = "parts.whole";

const schemas = {
  "thing/schema.json": contentType("thing", attributesOf(attributeCases)),
  "nest/schema.json": contentType("nest", {
    one: { type: "component", component: whole },
    several: { type: "component", component: whole, repeatable: true },
    zone: { type: "dynamiczone", components: [whole, "parts.part"], required: true },
  }),
  "choice/schema.json": contentType("choice", {
    kind: { type: "string" },
    ...Object.fromEntries(
      Object.entries(attributeCases).map(([name, { attribute }]) => [
        name,
        { ...attribute, required: false, conditions: { visible: { "==": [{ var: "kind" }, "shown"] } } },
      ]),
    ),
  }),
  "target/schema.json": contentType("target", {
    keywords: { type: "text", regex: "^(\\w+\\s?,?)*$" },
    mentioned: { type: "relation", relation: "morphMany", target: "api::thing.thing", morphBy: "morphToMany" },
    described: { type: "relation", relation: "morphOne", target: "api::thing.thing", morphBy: "morphToOne" },
  }),
  "components/parts/part.json": component(label),
  "components/parts/other.json": component(label),
  "components/parts/whole.json": component(attributesOf(componentCases)),
};

const root = workspace(undefined, afterAll);
for (const [file, schema] of Object.entries(schemas)) {
  mkdirSync(path.dirname(path.join(root, "content-types", file)), { recursive: true });
  writeFileSync(path.join(root, "content-types", file), JSON.stringify(schema));
}
const rendered = await renderProject(root, "flat");
writeFiles(path.join(root, "generated"), rendered);

const database = await freshDatabase("postgres");
await createTables(database, await import(path.join(root, "generated", "tables.ts")));
await database.script(`
  insert into documents (document_id, type) values ('${TARGET}', 'api::target.target');
  insert into target_rows (document_id, created_at, updated_at, published_at) values ('${TARGET}', now(), now(), now());
  insert into files (id, document_id, name, hash, mime, size, url, provider, created_at, updated_at)
    values (${FILE}, 'file00000000000000000000', 'a.png', 'a', 'image/png', 1, '/a.png', 'local', now(), now())`);

const serve = async (folder: string, bodyErrors = 1000): Promise<AuthApp> => {
  const { default: application }: { default: Application } = await import(path.join(root, folder, "index.ts"));
  const config = { graphql: { format: "flat" as const }, limits: { bodyErrors } };
  return authApp({ database, application, config, cleanup: afterAll });
};
const original = await serve("generated");
const token = await createApiToken(database, secrets.tokenSalt, {
  name: "test",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});

/** A type whose lines are edited: its attributes, the file they stand in, and where a body has their values. */
interface Subject {
  readonly type: string;
  readonly cases: Cases;
  readonly file: string;
  readonly draft: string;
  readonly published: string;
  readonly data: (values: Data) => Data;
  readonly paths: (name: string) => readonly string[];
}

const thing: Subject = {
  type: "thing",
  cases: attributeCases,
  file: "thing/validator.ts",
  draft: "thingDraft",
  published: "thingSchema",
  data: (values) => values,
  paths: (name) => [name],
};
const nest: Subject = {
  type: "nest",
  cases: componentCases,
  file: "components/parts/whole.ts",
  draft: "partsWholeDraft",
  published: "partsWholeSchema",
  data: (values) => ({ one: values, several: [values], zone: [{ __component: whole, ...values }] }),
  paths: (name) => [`one,${name}`, `several,0,${name}`, `zone,0,${name}`],
};
const subjects = [thing, nest];

/** Changes the initializer of a member of a schema of a subject; undefined leaves it as it is. */
type Edit = (name: string, code: string, subject: Subject) => string | undefined;

/** The names of the members that an edit changed, by the name of their schema. */
type Edited = ReadonlyMap<string, ReadonlySet<string>>;

/** Edits the members of the schemas of a subject. */
const edited = (subject: Subject, edit: Edit) => {
  const { file: name, draft, published } = subject;
  const text = rendered.get(name) ?? "";
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile("validator.ts", text);
  const names = new Map<string, Set<string>>();
  for (const variable of [draft, published].map((schema) => file.getVariableDeclarationOrThrow(schema))) {
    const shape = variable.getFirstDescendantByKind(SyntaxKind.ObjectLiteralExpression);
    for (const member of shape?.getProperties() ?? []) {
      if (!member.isKind(SyntaxKind.PropertyAssignment)) continue;
      const code = edit(member.getName(), member.getInitializerOrThrow().getText(), subject);
      if (code === undefined) continue;
      member.setInitializer(code);
      names.set(variable.getName(), (names.get(variable.getName()) ?? new Set()).add(member.getName()));
    }
  }
  return { text: file.getFullText(), names };
};

let variants = 0;

/** Serves the project with the files of all subjects edited. Each is imported anew, which takes longer than asking it. */
const serveEdited = async (edit: Edit) => {
  const folder = `generated-${(variants += 1)}`;
  cpSync(path.join(root, "generated"), path.join(root, folder), { recursive: true });
  const edits = subjects.map((subject) => {
    const { text, names } = edited(subject, edit);
    writeFileSync(path.join(root, folder, subject.file), text);
    return { subject, names };
  });
  return { app: await serve(folder), edits };
};

type Status = "draft" | "published";
type Data = Readonly<Record<string, unknown>>;

const pathsIn = (details: unknown): readonly string[] => {
  const errors = isRecord(details) && Array.isArray(details["errors"]) ? details["errors"] : [];
  return [...new Set(errors.map((error: unknown) => (isRecord(error) ? String(error["path"]) : "")))].toSorted();
};

/** The paths that a write is refused for, on each way to write; none if it is accepted. */
const ways = {
  async rest({ send }: AuthApp, type: string, data: Data, status: Status) {
    const answer = await send("POST", `/api/${type}s?status=${status}`, { token, body: { data } });
    if (answer.status === 201) return [];
    expect(answer.status, answer.text).toBe(400);
    return pathsIn(at(answer.body, "error.details"));
  },
  async graphql({ send }: AuthApp, type: string, data: Data, status: Status) {
    const name = type.charAt(0).toUpperCase() + type.slice(1);
    const query = `mutation ($data: ${name}Input!) { create${name}(data: $data, status: ${status.toUpperCase()}) { documentId } }`;
    // In GraphQL, entries of zones name their component by its type.
    const variables = JSON.parse(
      JSON.stringify({ data }).replaceAll(
        /"__component":"parts\.(.)/g,
        (_, first: string) => `"__typename":"ComponentParts${first.toUpperCase()}`,
      ),
    );
    const { body, text } = await send("POST", "/graphql", { token, body: { query, variables } });
    if (at(body, "errors") === undefined) return [];
    expect(at(body, "errors.0.extensions.error.name"), text).toBe("ValidationError");
    return pathsIn(at(body, "errors.0.extensions.error.details"));
  },
  async code({ services }: AuthApp, type: string, data: Data, status: Status) {
    try {
      await anyDocuments(services)(`api::${type}.${type}`).create({ data, status });
      return [];
    } catch (error) {
      return pathsIn(isRecord(error) ? error["details"] : undefined);
    }
  },
};

type Way = keyof typeof ways;

const canWrite = (way: Way, { writers }: AttributeCase): boolean =>
  writers === undefined || way === "code" || way === writers;

/** The names of the attributes that can be written in one way. */
const namesOf = (cases: Cases, way: Way): readonly string[] =>
  Object.entries(cases).flatMap(([name, each]) => (canWrite(way, each) ? [name] : []));

let bodies = 0;

/** A body with a value for each attribute. Each has other unique values. */
const bodyOf = ({ cases, data }: Subject, way: Way): Data => {
  bodies += 1;
  const values = namesOf(cases, way).map((name) => [name, cases[name]?.value]);
  return data({ ...Object.fromEntries(values), uid: `abc${bodies}` });
};

const WAYS: readonly Way[] = ["rest", "graphql", "code"];
const eachWay = WAYS.flatMap((way) => subjects.map((subject) => ({ way, subject, type: subject.type })));

/** What is refused of a whole body, written as a draft and published. */
const refused = async (app: AuthApp, way: Way, subject: Subject) => ({
  draft: await ways[way](app, subject.type, bodyOf(subject, way), "draft"),
  published: await ways[way](app, subject.type, bodyOf(subject, way), "published"),
});

/** What has to be refused where these lines were changed. Those of the draft stand for both, unless there is another. */
const expected = (subject: Subject, way: Way, names: Edited, stricter: ReadonlySet<string>) => {
  const draft = names.get(subject.draft) ?? new Set();
  const published = names.get(subject.published) ?? new Set();
  const pathsOf = (isRefused: (name: string) => boolean) =>
    namesOf(subject.cases, way).filter(isRefused).flatMap(subject.paths).toSorted();
  return {
    draft: pathsOf((name) => draft.has(name)),
    published: pathsOf((name) => published.has(name) || (draft.has(name) && !stricter.has(name))),
  };
};

/** The members of a schema as it is generated. */
const membersOf = (subject: Subject, schema: string): ReadonlySet<string> =>
  edited(subject, (_, code) => code).names.get(schema) ?? new Set();

const expectRefused = async (edit: Edit) => {
  const { app, edits } = await serveEdited(edit);
  for (const { subject, names } of edits) {
    const stricter = membersOf(subject, subject.published);
    for (const way of WAYS) {
      expect(await refused(app, way, subject), way).toEqual(expected(subject, way, names, stricter));
    }
  }
  return edits;
};

test.each(eachWay)("a server takes all values of a $type by $way", async ({ way, subject }) => {
  expect(await refused(original, way, subject)).toEqual({ draft: [], published: [] });
});

/** Asks more of a value, wherever one is given. */
const RULE = '.refine((value) => value === undefined || value === null, "refused")';

test("a rule on any line is what the server refuses by", async () => {
  const edits = await expectRefused((_, code) =>
    code.startsWith("when(") ? `${code.slice(0, -1)}${RULE})` : code + RULE,
  );
  for (const { subject, names } of edits) expect(names.get(subject.draft)).toEqual(new Set(Object.keys(subject.cases)));
});

const most = Math.max(...Object.values(attributeCases).map(({ changes }) => changes.length));

test.each(Array.from({ length: most }, (_, index) => index))("other limits and patterns (%i) count", async (index) => {
  const edits = await expectRefused((name, code, { cases }) => {
    const [from = "", to = ""] = cases[name]?.changes[index] ?? [];
    const changed = code.replace(from, to);
    return changed === code ? undefined : changed;
  });
  for (const { subject, names } of edits) {
    const changed = new Set([...names.values()].flatMap((each) => [...each]));
    const due = Object.entries(subject.cases).filter(([, { changes }]) => changes.length > index);
    expect([...changed].toSorted()).toEqual(due.map(([name]) => name).toSorted());
  }
});

test("five rules on two lines find five faults, on every path", async () => {
  const rules: Readonly<Record<string, string>> = {
    text: 'z.url().startsWith("https://").endsWith("/").refine(() => false)',
    integer: "z.int32().multipleOf(2)",
  };
  const { app } = await serveEdited((name, _, subject) => (subject === thing ? rules[name] : undefined));
  const data = { text: "no address", integer: 5, zone: [] };
  const rest = await app.send("POST", "/api/things?status=draft", { token, body: { data } });
  expect([rest.status, at(rest.body, "error.details.errors")]).toMatchObject([400, { length: 5 }]);
  const query = "mutation ($data: ThingInput!) { createThing(data: $data, status: DRAFT) { documentId } }";
  const graphql = await app.send("POST", "/graphql", { token, body: { query, variables: { data } } });
  expect(at(graphql.body, "errors.0.extensions.error.details.errors")).toHaveLength(5);
  const code = anyDocuments(app.services)("api::thing.thing").create({ data, status: "draft" });
  await expect(code).rejects.toMatchObject({ details: { errors: { length: 5 } } });
});

const ODD = [5, 0.5, -1e308, 1e308, "x", "x".repeat(300), true, {}, { id: 1 }, { set: 1 }, [1], ["x"], [[]], [{}]];

test("what no column takes is refused although the condition of its attribute is false", async () => {
  const names = namesOf(attributeCases, "rest");
  const outcomes = new Map<string, number>();
  for (const name of names) {
    for (const value of ODD) {
      const data = { kind: "hidden", [name]: value };
      const { status, text } = await original.send("POST", "/api/choices?status=draft", { token, body: { data } });
      const outcome = `${name} ${JSON.stringify(value)}`;
      outcomes.set(outcome.slice(0, 60), status);
      expect([outcome, [201, 400].includes(status) ? "" : text]).toEqual([outcome, ""]);
    }
  }
  expect(outcomes.get('integer "x"')).toBe(400);
  expect(outcomes.get("string 5")).toBe(400);
  expect(outcomes.get('entry "x"')).toBe(400);
  expect(outcomes.get("oneToOne true")).toBe(400);
  // GraphQL has no word for values that are not in the list of an enumeration.
  const fields = names.filter((name) => scalarNames.has(name) && !["password", "enumeration"].includes(name)).join(" ");
  const query = `{ choices_connection(status: DRAFT, pagination: { limit: 100 }) { nodes { ${fields} } } }`;
  const { body } = await original.send("POST", "/graphql", { token, body: { query } });
  expect(at(body, "errors")).toBeUndefined();
});

test("null empties a required zone of a draft and is refused where it is published, on every path", async () => {
  for (const way of WAYS) {
    const write = (status: Status) => ways[way](original, "nest", { ...bodyOf(nest, way), zone: null }, status);
    expect([way, await write("draft"), await write("published")]).toEqual([way, [], ["zone"]]);
  }
});

test("an answer lists as many faults of uniqueness as of anything else", async () => {
  const data = bodyOf(nest, "rest");
  const create = (app: AuthApp) => ways.rest(app, "nest", data, "published");
  expect(await create(original)).toEqual([]);
  expect(await create(original)).toEqual(["one,uid", "several,0,uid", "zone,0,uid"]);
  expect(await create(await serve("generated", 2))).toHaveLength(2);
});

test("an empty list for the other side of a relation to any type is ignored, and nothing else can be written there", async () => {
  const write = async (data: Data) =>
    (await original.send("PUT", `/api/targets/${TARGET}`, { token, body: { data } })).status;
  expect([await write({ mentioned: [], described: [] }), await write({ mentioned: [1] })]).toEqual([200, 400]);
  const { body } = await original.send("GET", `/api/targets/${TARGET}?populate=mentioned`, { token });
  expect(at(body, "data.mentioned.length")).toBeGreaterThan(0);
});

test("a text that a pattern of the schema would take years for is a 400, and the next request is answered", async () => {
  const send = ["PUT", `/api/targets/${TARGET}`] as const;
  const refused = await original.send(...send, { token, body: { data: { keywords: `${"word".repeat(20)}!` } } });
  expect([refused.status, at(refused.body, "error.message")]).toEqual([400, expect.stringContaining("too long")]);
  const { body } = await original.send(...send, { token, body: { data: { keywords: "red green,blue" } } });
  expect(at(body, "data.keywords")).toBe("red green,blue");
});
