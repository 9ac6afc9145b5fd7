import { posix } from "node:path";
import type { z } from "zod";
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { problems } from "../diagnostics/codes.ts";
import {
  type Diagnostic,
  diagnose,
  hasErrors,
  type JsonPath,
  type Report,
  valueAt,
} from "../diagnostics/diagnostic.ts";
import { type AttributeSchema, attributeShapes, isAttributeType } from "./attribute-shapes.ts";
import { componentShape, contentTypeShape, weightedTypeShape } from "./file-shapes.ts";
import { type FoundComponent, type FoundContentType, uidOf } from "./find.ts";
import { componentPanel, typePanel } from "./panel-shapes.ts";
import type { ComponentFile, ContentTypeFile } from "./schema-file.ts";
import { attributeScopes, reportUnknownKeys, scopesOf } from "./unknown-keys.ts";

type Json = Record<string, unknown>;

/** Null means that an option is absent; only a default can be null. */
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

/** What the shape expects, in words. */
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

/** Collects the problems of one file. */
class Checker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  readonly report: Report = (...fault) => void this.diagnostics.push(diagnose(...fault));

  /** The value parsed by `shape`, or undefined after reporting why it does not fit. */
  #parse<Shape extends z.ZodType>(shape: Shape, value: unknown, path: JsonPath): z.infer<Shape> | undefined {
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
    if (found === undefined) return this.report(problems.missingKey, place, { key, expected });
    const suggestion = suggest(issue, found);
    this.report(problems.wrongValue, place, { key, expected, found: describe(found) }, { suggestion });
  }

  /** Reports unknown keys; `value` is the value of the whole file. */
  #reportUnknownKeys(value: unknown, scopes: ReturnType<typeof scopesOf>): void {
    for (const [path, scope] of scopes) reportUnknownKeys(this.report, this.#file, reach(value, path), path, scope);
  }

  #attribute(name: string, raw: Json): AttributeSchema | undefined {
    const path = ["attributes", name];
    const type = raw["type"];
    if (typeof type !== "string" || !isAttributeType(type)) {
      const place = valueAt(this.#file, ...path, ...(type === undefined ? [] : ["type"]));
      const suggestion = typeof type === "string" ? nearest(type, Object.keys(attributeShapes)) : undefined;
      const parameters = { attribute: name, type: type === undefined ? undefined : JSON.stringify(type) };
      this.report(problems.unknownType, place, parameters, { suggestion });
      return undefined;
    }
    const shape = attributeShapes[type];
    this.#reportUnknownKeys({ attributes: { [name]: raw } }, attributeScopes(name, type, Object.keys(shape.shape)));
    return this.#parse<z.ZodType<AttributeSchema>>(shape, withoutNulls(raw), path);
  }

  /** The valid attributes; one that is not an object is reported with the shape of the file. */
  #attributes(raw: unknown): Record<string, AttributeSchema> {
    // A name such as "__proto__" must remain a plain key.
    const checked: Record<string, AttributeSchema> = Object.create(null);
    for (const [name, value] of Object.entries(isRecord(raw) ? raw : {})) {
      const attribute = isRecord(value) ? this.#attribute(name, value) : undefined;
      if (attribute) checked[name] = attribute;
    }
    return checked;
  }

  /** The file's schema, with its valid attributes. */
  schema<Shape extends z.ZodObject>(shape: Shape, scopes: ReturnType<typeof scopesOf>, value: unknown) {
    this.#reportUnknownKeys(value, scopes);
    const parsed = this.#parse(shape, withoutNullsInside(value), []);
    const attributes = this.#attributes(reach(value, ["attributes"]));
    return parsed && { ...parsed, attributes };
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

const keysOf = ({ shape }: z.ZodObject): readonly string[] => Object.keys(shape);

const contentTypeScopes = scopesOf("a content type", {
  file: keysOf(contentTypeShape),
  info: keysOf(contentTypeShape.shape.info),
  options: keysOf(contentTypeShape.shape.options.unwrap()),
  panel: keysOf(typePanel),
});

const componentScopes = scopesOf("a component", {
  file: keysOf(componentShape),
  info: keysOf(componentShape.shape.info.unwrap()),
  options: [],
  panel: keysOf(componentPanel),
});

const contentTypeFile = (
  found: FoundContentType,
  file: string,
  value: unknown,
  checker: Checker,
): ContentTypeFile | undefined => {
  const schema = checker.schema(weightedTypeShape, contentTypeScopes, value);
  if (schema === undefined) return undefined;
  const { singularName } = schema.info;
  const { kind, folder, mayDiffer, extended } = found;
  if (singularName !== folder && !mayDiffer)
    checker.report(problems.folderName, valueAt(file, "info", "singularName"), { singularName, folder });
  const extension = extended ? posix.join(posix.dirname(file), "extension.ts") : undefined;
  return { kind, uid: uidOf(found), file, schema, extension };
};

const componentFile = (
  found: FoundComponent,
  file: string,
  value: unknown,
  checker: Checker,
): ComponentFile | undefined => {
  const schema = checker.schema(componentShape, componentScopes, value);
  const { kind, category, name } = found;
  return schema && { kind, uid: uidOf(found), file, category, name, schema };
};

/**
 * Checks the parsed JSON of a schema file: wrong types are errors, unknown keys are warnings. Returns a file if there
 * are no errors.
 */
export const checkShape = (found: FoundContentType | FoundComponent, file: string, value: unknown) => {
  const checker = new Checker(file);
  const checked =
    found.kind === "component"
      ? componentFile(found, file, value, checker)
      : contentTypeFile(found, file, value, checker);
  const { diagnostics } = checker;
  return { file: hasErrors(diagnostics) ? undefined : checked, diagnostics };
};
