/** Checks the data of a body: cast, then Zod, then the wire contract's errors. */
import type { z } from "zod";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AttributeValidator, Mode, Validator } from "./attribute.ts";
import { holds } from "./condition.ts";
import { contractMessage, notOfType } from "./messages.ts";

export type Data = Readonly<Record<string, unknown>>;

/** One entry of `error.details.errors`. */
export interface FieldError {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  /** What was refused; left out when there was nothing. */
  readonly value?: unknown;
}

export interface Checked {
  /** The data with every value cast to its attribute's type. */
  readonly data: Data;
  readonly errors: readonly FieldError[];
}

type Path = readonly (string | number)[];

/** What casting is about: with `defaults`, what is absent gets its default; stored values are left as they are. */
interface Casting {
  readonly stored?: true;
  readonly defaults: boolean;
  /** The paths of attributes whose condition is false. */
  readonly hidden: Path[];
}

const castItem = (validator: Validator | undefined, value: unknown, path: Path, casting: Casting): unknown =>
  validator && isRecord(value) ? castData(validator, value, path, casting) : value;

const castNested = (attribute: AttributeValidator, value: unknown, path: Path, casting: Casting): unknown => {
  const { nested } = attribute;
  if (!nested) return value;
  if (nested.kind === "component") return castItem(nested.validator(), value, path, casting);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) => {
    const uid = isRecord(item) ? item["__component"] : undefined;
    const validator = nested.kind === "components" ? nested.validator() : nested.validators[String(uid)]?.();
    // What has no parts is no entry at all.
    if (typeof item !== "object") return null;
    return castItem(validator, item, [...path, index], casting);
  });
};

/** Casts every attribute that is there. */
const castData = (validator: Validator, data: Data, path: Path, casting: Casting): Record<string, unknown> => {
  const { stored, defaults, hidden } = casting;
  const cast: Record<string, unknown> = { ...data };
  for (const [name, attribute] of Object.entries(validator.attributes)) {
    const given = Object.hasOwn(data, name);
    const standard = attribute.options.default;
    if (!given && !(defaults && standard !== undefined)) continue;
    const raw = given ? data[name] : standard;
    const value = attribute.cast && !(stored && given) ? attribute.cast(raw) : raw;
    cast[name] = castNested(attribute, value, [...path, name], casting);
  }
  for (const [name, { options }] of Object.entries(validator.attributes)) {
    if (options.condition !== undefined && !holds(options.condition, cast)) hidden.push([...path, name]);
  }
  return cast;
};

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

/** Of a value that is of the wrong type, nothing else is said. */
const hasWrongType = (issues: readonly z.core.$ZodIssue[], { path }: z.core.$ZodIssue): boolean =>
  issues.some((other) => other.code === "invalid_type" && other.path.join(".") === path.join("."));

/** A list or an object where one of several texts is expected is refused for its type too. */
const noText = (issue: z.core.$ZodIssue, data: unknown): FieldError[] => {
  const value = at(data, issue.path);
  if (issue.code !== "invalid_value" || typeof value !== "object" || value === null) return [];
  return [
    { path: issue.path.map(String), message: notOfType("string", issue.path, value), name: "ValidationError", value },
  ];
};

interface Check extends Omit<Casting, "hidden"> {
  readonly mode: Mode;
  /** The uids of all components, which messages list. */
  readonly components?: readonly string[];
}

const check = (validator: Validator, data: Data, { mode, components = [], ...casting }: Check): Checked => {
  const hidden: Path[] = [];
  const cast = castData(validator, data, [], { ...casting, hidden });
  const error = contractMessage((path) => at(data, path), components, mode);
  const { error: failure } = validator.schema(mode).safeParse(cast, { error, reportInput: true });
  const open = failure?.issues.filter(({ path }) => !hidden.some((start) => startsWith(path, start))) ?? [];
  const issues = open.filter((issue) => issue.code === "invalid_type" || !hasWrongType(open, issue));
  return { data: cast, errors: issues.flatMap((issue) => [...noText(issue, cast), fieldError(issue, cast)]) };
};

/** Casts and checks what a body holds; in mode `create` it is given its defaults first. */
export const checkData = (validator: Validator, data: Data, mode: Mode, components: readonly string[] = []): Checked =>
  check(validator, data, { mode, components, defaults: mode === "create" });

/** What is wrong with a version that is to be published. */
export const checkStored = (validator: Validator, version: Data): readonly FieldError[] =>
  check(validator, version, { mode: "create", stored: true, defaults: true }).errors;

/** The error that an answer shows for one or more faults. */
export const validationError = (errors: readonly FieldError[]): ValidationError => {
  const [first] = errors;
  const message = errors.length === 1 && first ? first.message : `${errors.length} errors occurred`;
  return new ValidationError(message, { errors });
};
