import { posix } from "node:path";
import type { z } from "zod";
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { problems } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnose, type JsonPath, valueAt } from "../diagnostics/diagnostic.ts";
import { type AttributeSchema, attributeShapes, isAttributeType } from "./attribute-shapes.ts";
import { componentShape, contentTypeShape } from "./file-shapes.ts";
import { type FoundComponent, type FoundContentType, uidOf } from "./find.ts";
import type { SchemaFile } from "./schema-file.ts";
import { attributeScopes, scopesOf, unknownKeys } from "./unknown-keys.ts";

type Json = Record<string, unknown>;

/** An option that is null is an option that is not there; only a default can be null. */
const withoutNulls = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => value !== null || key === "default"));

const describe = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object"
    ? "an object"
    : `${typeof value === "string" ? "the text " : ""}${JSON.stringify(value)}`;
};

const reach = (value: unknown, path: JsonPath): unknown => {
  let inner = value;
  for (const key of path) inner = typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  return inner;
};

const oneOf = (values: readonly string[]): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

/** What the issue expects, in words. */
const expectation = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case "invalid_type":
      return expectedTypes[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case "too_small":
      return `${issue.minimum} or more`;
    case "invalid_union":
      return "a number";
    default:
      return issue.message.replace(/^expected /, "");
  }
};

const expectedTypes: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
};

const suggest = (issue: z.core.$ZodIssue, found: unknown): string | undefined =>
  issue.code === "invalid_value" && typeof found === "string" ? nearest(found, issue.values.map(String)) : undefined;

/** Collects the faults of one file. */
class Checker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The value in the form of `shape`, or undefined after reporting why it is not. */
  parse<Shape extends z.ZodType>(shape: Shape, value: unknown, path: JsonPath): z.infer<Shape> | undefined {
    const result = shape.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#reportIssue(issue, value, path);
    return undefined;
  }

  #reportIssue(issue: z.core.$ZodIssue, value: unknown, path: JsonPath): void {
    const inner = issue.path.filter((key) => typeof key !== "symbol");
    const found = reach(value, inner);
    const at = [...path, ...inner];
    const place = valueAt(this.#file, ...at);
    const key = at.length === 0 ? "the file" : JSON.stringify(at.join("."));
    const expected = expectation(issue);
    this.diagnostics.push(
      found === undefined
        ? diagnose(problems.missingKey, place, { key, expected })
        : diagnose(
            problems.wrongValue,
            place,
            { key, expected, found: describe(found) },
            { suggestion: suggest(issue, found) },
          ),
    );
  }

  /** Reports the keys that mean nothing; `value` is that of the whole file. */
  reportUnknownKeys(value: unknown, scopes: ReturnType<typeof scopesOf>): void {
    for (const [path, scope] of scopes)
      this.diagnostics.push(...unknownKeys(this.#file, reach(value, path), path, scope));
  }

  attribute(name: string, raw: Json): AttributeSchema | undefined {
    const path = ["attributes", name];
    const type = raw["type"];
    if (typeof type !== "string" || !isAttributeType(type)) {
      const place = valueAt(this.#file, ...path, ...(type === undefined ? [] : ["type"]));
      const suggestion = typeof type === "string" ? nearest(type, Object.keys(attributeShapes)) : undefined;
      this.diagnostics.push(
        diagnose(
          problems.unknownType,
          place,
          { attribute: name, type: type === undefined ? undefined : JSON.stringify(type) },
          { suggestion },
        ),
      );
      return undefined;
    }
    const shape = attributeShapes[type];
    const scopes = attributeScopes(name, type, Object.keys(shape.shape));
    this.reportUnknownKeys({ attributes: { [name]: raw } }, scopes);
    return this.parse<z.ZodType<AttributeSchema>>(shape, withoutNulls(raw), path);
  }

  /** The attributes that have the right shape; one that is no object is reported with the shape of the file. */
  attributes(raw: unknown): Record<string, AttributeSchema> {
    // A name such as "__proto__" must stay a name.
    const checked: Record<string, AttributeSchema> = Object.create(null);
    for (const [name, value] of Object.entries(isRecord(raw) ? raw : {})) {
      const attribute = isRecord(value) ? this.attribute(name, value) : undefined;
      if (attribute) checked[name] = attribute;
    }
    return checked;
  }

  get failed(): boolean {
    return this.diagnostics.some(({ severity }) => severity === "error");
  }
}

const withoutNullsInside = (value: unknown): unknown => {
  if (!isRecord(value)) return value;
  const { info, options } = value;
  return withoutNulls({
    ...value,
    ...(isRecord(info) ? { info: withoutNulls(info) } : {}),
    ...(isRecord(options) ? { options: withoutNulls(options) } : {}),
  });
};

export interface Checked {
  /** Undefined when the file has errors. */
  readonly file: SchemaFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const checkContentType = (found: FoundContentType, file: string, value: unknown): Checked => {
  const checker = new Checker(file);
  const { shape } = contentTypeShape;
  const keys = {
    file: Object.keys(shape),
    info: Object.keys(shape.info.shape),
    options: Object.keys(shape.options.unwrap().shape),
  };
  checker.reportUnknownKeys(value, scopesOf("a content type", keys));
  const parsed = checker.parse(contentTypeShape, withoutNullsInside(value), []);
  const attributes = checker.attributes(reach(value, ["attributes"]));
  if (parsed && parsed.info.singularName !== found.folder && !found.mayDiffer)
    checker.diagnostics.push(
      diagnose(problems.folderName, valueAt(file, "info", "singularName"), {
        singularName: parsed.info.singularName,
        folder: found.folder,
      }),
    );
  const { diagnostics, failed } = checker;
  if (!parsed || failed) return { file: undefined, diagnostics };
  const extension = found.extended ? posix.join(posix.dirname(file), "extension.ts") : undefined;
  return {
    file: { kind: "contentType", uid: uidOf(found), file, schema: { ...parsed, attributes }, extension },
    diagnostics,
  };
};

const checkComponent = (found: FoundComponent, file: string, value: unknown): Checked => {
  const checker = new Checker(file);
  const { shape } = componentShape;
  const keys = { file: Object.keys(shape), info: Object.keys(shape.info.unwrap().shape), options: [] };
  checker.reportUnknownKeys(value, scopesOf("a component", keys));
  const parsed = checker.parse(componentShape, withoutNullsInside(value), []);
  const attributes = checker.attributes(reach(value, ["attributes"]));
  const { diagnostics, failed } = checker;
  if (!parsed || failed) return { file: undefined, diagnostics };
  const { category, name } = found;
  return {
    file: { kind: "component", uid: uidOf(found), file, category, name, schema: { ...parsed, attributes } },
    diagnostics,
  };
};

/** Checks the parsed JSON of a schema file: types of values are errors, keys that mean nothing are warnings. */
export const checkShape = (found: FoundContentType | FoundComponent, file: string, value: unknown): Checked =>
  found.kind === "component" ? checkComponent(found, file, value) : checkContentType(found, file, value);
