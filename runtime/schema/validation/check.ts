/** Checks the data of a body: cast, then Zod, then the wire contract's errors. */
import type { z } from "zod";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
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
  /** What was refused; left out when there was nothing. */
  readonly value?: unknown;
}

export type Path = readonly (string | number)[];

const at = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) ? value[String(key)] : undefined;
  }, root);

/** A node of rich text is refused as a whole, an entry of a zone for its `__component`. */
const issuePath = (issue: z.core.$ZodIssue): readonly PropertyKey[] =>
  issue.code === "invalid_union" && issue.path.at(-1) === "type" ? issue.path.slice(0, -1) : issue.path;

/** JSON has no infinite numbers; the largest one stands for them, see the casting. */
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

/** The places of values that are of the wrong type: of those, nothing else is said. */
const wrongTypes = (issues: readonly z.core.$ZodIssue[]): ReadonlySet<string> =>
  new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path.join(".")));

/** A list or an object where one of several texts is expected is refused for its type too. */
const noText = (issue: z.core.$ZodIssue, data: unknown): FieldError[] => {
  const value = at(data, issue.path);
  if (issue.code !== "invalid_value" || typeof value !== "object" || value === null) return [];
  return [
    { path: issue.path.map(String), message: notOfType("string", issue.path, value), name: "ValidationError", value },
  ];
};

export interface Check extends Rules {
  /** What was sent, before casting. */
  readonly sent: Data;
  /** The paths of attributes of which nothing is said. */
  readonly unchecked: readonly Path[];
  /** The uids of all components, which messages list. */
  readonly components?: readonly string[];
  /** Faults that are told; all of them when left out. */
  readonly most?: number;
}

/** What is wrong with data whose values were cast to the types of their attributes. */
export const checkData = (schema: Schema, data: Data, check: Check): readonly FieldError[] => {
  const { mode, strictRelations, sent, unchecked, components = [], most } = check;
  const error = contractMessage((path) => at(sent, path), components, mode);
  const body = bodySchema(schema, { mode, strictRelations });
  const { error: failure } = sharingTime(() => body.safeParse(data, { error, reportInput: true }));
  const open = failure?.issues.filter(({ path }) => !unchecked.some((start) => startsWith(path, start))) ?? [];
  const wrong = wrongTypes(open);
  const issues = open.filter(({ code, path }) => code === "invalid_type" || !wrong.has(path.join(".")));
  return issues
    .slice(0, most)
    .flatMap((issue) => [...noText(issue, data), fieldError(issue, data)])
    .slice(0, most);
};

/** The error that an answer shows for one or more faults. */
export const validationError = (errors: readonly FieldError[]): ValidationError => {
  const [first] = errors;
  const message = errors.length === 1 && first ? first.message : `${errors.length} errors occurred`;
  return new ValidationError(message, { errors });
};
