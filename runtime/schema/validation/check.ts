/**
 * Validates the data of a body: casts values, applies the Zod schema, and turns its issues into the contract's errors.
 */
import type { z } from "zod";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { isOftenValid } from "./compiled.ts";
import { bodySchema } from "./derive.ts";
import type { Schema } from "./members.ts";
import { contractMessage, notOfType } from "./messages.ts";
import type { Rules } from "./mode.ts";
import { sharingTime } from "./patterns.ts";

export type Data = Readonly<Record<string, unknown>>;

/** One entry of `error.details.errors`. */
export interface FieldError {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  /** The refused value; missing if there was none. */
  readonly value?: unknown;
}

export type Path = readonly (string | number)[];

const at = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) ? value[String(key)] : undefined;
  }, root);

/** The path of an issue. For rich text it is that of the whole node, for a zone's entry that of `__component`. */
const issuePath = (issue: z.core.$ZodIssue): readonly PropertyKey[] =>
  issue.code === "invalid_union" && issue.path.at(-1) === "type" ? issue.path.slice(0, -1) : issue.path;

/** The value as an answer shows it. The cast replaces infinite numbers by the largest one; JSON has null for those. */
const shown = (value: unknown): unknown =>
  typeof value === "number" && Math.abs(value) === Number.MAX_VALUE ? null : value;

const fieldError = (issue: z.core.$ZodIssue, data: unknown): FieldError => {
  const path = issuePath(issue);
  const value = shown(at(data, path));
  return {
    path: path.map(String),
    message: issue.message,
    name: "ValidationError",
    ...(value === undefined ? {} : { value }),
  };
};

const startsWith = (path: readonly PropertyKey[], start: Path): boolean =>
  start.every((segment, index) => path[index] === segment);

/** The paths of values with a wrong type; no other faults are reported for those. */
const wrongTypes = (issues: readonly z.core.$ZodIssue[]): ReadonlySet<string> =>
  new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")));

/** A list or object in place of an enumeration value is also reported as a wrong type. */
const noText = (issue: z.core.$ZodIssue, data: unknown): FieldError[] => {
  const value = at(data, issue.path);
  if (issue.code !== "invalid_value" || typeof value !== "object" || value === null) return [];
  return [
    { path: issue.path.map(String), message: notOfType("string", issue.path, value), name: "ValidationError", value },
  ];
};

export interface Check extends Rules {
  /** The data before casting. */
  readonly sent: Data;
  /** The paths of attributes that are not checked. */
  readonly unchecked: readonly Path[];
  /** The uids of all components, to list in messages. */
  readonly components?: readonly string[];
  /** Most faults to report; all by default. */
  readonly most?: number;
}

/** Returns the faults of data whose values have been cast to the types of their attributes. */
export const checkData = (schema: Schema, data: Data, check: Check): readonly FieldError[] => {
  const { mode, strictRelations, sent, unchecked, components = [], most } = check;
  const body = bodySchema(schema, { mode, strictRelations });
  const error = contractMessage((path) => at(sent, path), components, mode);
  const compilable = () => bodySchema(schema, { mode, strictRelations, isCompiled: true });
  const failure = sharingTime(() =>
    isOftenValid(body, data, compilable) ? undefined : body.safeParse(data, { error, reportInput: true }).error,
  );
  if (!failure) return [];
  const open = failure.issues.filter(({ path }) => !unchecked.some((start) => startsWith(path, start)));
  const wrong = wrongTypes(open);
  const issues = open.filter(({ code, path }) => code === "invalid_type" || !wrong.has(path.join(".")));
  return issues
    .slice(0, most)
    .flatMap((issue) => [...noText(issue, data), fieldError(issue, data)])
    .slice(0, most);
};

/** The error for one or more faults, as an answer shows it. */
export const validationError = (errors: readonly FieldError[]): ValidationError => {
  const [first] = errors;
  const message = errors.length === 1 && first ? first.message : `${errors.length} errors occurred`;
  return new ValidationError(message, { errors });
};
