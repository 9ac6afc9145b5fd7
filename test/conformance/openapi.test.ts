/** What was recorded of REST is what the OpenAPI document of the same schema files says. */
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { cmsOutput, emptyFolder } from "../support/cms.ts";
import { corpus, deviations, recordedAreas, type Scenario, scenariosOf, type Step } from "./scenario.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Content>>;
    readonly schemas: Record<string, Schema>;
  };
}

/** Nothing is in an answer that its schema does not name: only so a missing attribute shows. */
const closed = (document: Document): Document => {
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) {
    const isAnswer = !/(?:Input|Changes|Filters|Populate)$/.test(name) && "documentId" in Object(schema["properties"]);
    if (isAnswer && !["AnyDocument", "Role", "TargetOfAny"].includes(name))
      schemas[name] = { ...schema, additionalProperties: false };
  }
  return document;
};

const documentOf = async (): Promise<Document> => {
  const root = await emptyFolder();
  cpSync(path.join(corpus, "content-types"), path.join(root, "content-types"), { recursive: true });
  await cmsOutput(root, ["generate"]);
  return closed(JSON.parse(readFileSync(path.join(root, "generated/openapi.json"), "utf8")));
};

/** Compiles schemas of the document, each once. */
const validatorsOf = (document: Document, options: object) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  ajv.addSchema(document, "document.json");
  const made = new Map<string, ValidateFunction>();
  return (pointer: readonly string[]): ValidateFunction => {
    const key = pointer.map((each) => encodeURIComponent(each.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const known = made.get(key) ?? ajv.compile({ $ref: `document.json#/${key}` });
    made.set(key, known);
    return known;
  };
};

/** The template that a path belongs to: one with fewer parameters comes first. */
const templateFor = ({ paths }: Document, asked: string): string | undefined => {
  const segments = asked.split("/");
  const matches = Object.keys(paths).filter((template) => {
    const parts = template.split("/");
    return parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i]);
  });
  return matches.toSorted((a, b) => a.split("{").length - b.split("{").length)[0];
};

/** Paths are taken in any case. */
const pathOf = (step: Step): string => (step.path.split("?")[0] ?? "").replace(/(?<=.)\/$/, "").toLowerCase();

/** What the document has no word for: the header that asks for another format, and numbers in place of documents. */
const isUntold = ({ headers = {}, path }: Step): boolean =>
  path.includes("[count]") || Object.keys(headers).some((name) => name.toLowerCase() === "strapi-response-format");

/** Bodies with what no client means and the wire format passes over: blanks in numbers, positions that are none. */
const PASSED_OVER = new Set([
  "rest-relations/change-forms#s148",
  "rest-relations/change-forms#s214",
  "rest-validation/values-of-big#s26",
  "rest-validation/values-of-big#s31",
]);

/** A body whose placeholders are values: ids are numbers. */
const filled = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"\{\{\w+:num\}\}"/g, "1")
      .replaceAll(/(?<="id":)"\{\{\w+\}\}"/g, '"1"'),
  );

test("every recorded exchange is one by the OpenAPI document: its route, its answer, and the body where it was taken", async () => {
  const document = await documentOf();
  const answers = validatorsOf(document, {});
  // Texts that mean numbers or truth values are taken for them, as bodies say both.
  const bodies = validatorsOf(document, { coerceTypes: true, validateFormats: false });
  const failures: string[] = [];
  let checked = 0;

  const check = ({ area, name }: Scenario, step: Step): void => {
    // Of the recordings of version 4 GraphQL alone is ours.
    if (area === "graphql-v4" && !step.path.startsWith("/graphql")) return;
    const id = `${area}/${name}#${step.id}`;
    const deviation = deviations[id];
    const { status } = { status: step.response.status, ...deviation };
    // Where we answer another status, what was recorded is not the answer.
    const recorded = deviation?.status === undefined ? step.response.body : undefined;
    const body = deviation?.body ?? recorded;
    const template = templateFor(document, pathOf(step));
    const method = step.method.toLowerCase();
    const operation = template === undefined ? undefined : document.paths[template]?.[method];
    const fail = (what: string, { errors }: Pick<ValidateFunction, "errors">): void => {
      const faults = (errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message}`);
      failures.push(`${id} ${step.method} ${step.path} ${status} ${what}: ${faults.join("; ")}`);
    };
    if (template === undefined || !operation) {
      // What the document does not know is not there.
      if (status < 400 && /^\/(?:api|graphql)\b/.test(pathOf(step)) && method !== "options" && method !== "head")
        failures.push(`${id} ${step.method} ${step.path} is answered ${status}, and not in the document`);
      return;
    }
    checked += 1;
    const known = operation.responses[String(status)];
    if (!known && status < 400) failures.push(`${id} ${step.method} ${step.path}: no answer ${status}`);
    const place = ["paths", template, method];
    const media = known?.content?.["application/json"];
    if (known && media && typeof body === "object") {
      const validate = answers([...place, "responses", String(status), "content", "application/json", "schema"]);
      if (!validate(body)) fail("answer", validate);
    } else if (!known && body !== undefined && typeof body === "object") {
      const own = operation.responses["default"]?.$ref === undefined;
      const at = own ? [...place, "responses", "default"] : ["components", "responses", "Error"];
      const validate = answers([...at, "content", "application/json", "schema"]);
      if (!validate(body)) fail("error", validate);
    }
    const taken = operation.requestBody?.content?.["application/json"];
    if (status < 300 && taken && typeof step.body === "object" && !PASSED_OVER.has(id)) {
      const validate = bodies([...place, "requestBody", "content", "application/json", "schema"]);
      if (!validate(filled(step.body))) fail("body", validate);
    }
  };

  for (const area of recordedAreas()) {
    for (const scenario of scenariosOf(area)) {
      for (const step of scenario.steps) {
        if (
          step.advisory === undefined &&
          !isUntold(step) &&
          deviations[`${area}/${scenario.name}#${step.id}`]?.skip !== true
        )
          check(scenario, step);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(checked).toBeGreaterThan(1000);
});
