/** Checks data with a Zod schema, and turns its issues into the contract's errors. */
import { createContext, Script } from "node:vm";
import type { z } from "zod";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Schema } from "./members.ts";
import { contractMessage, type MessageContext, notOfType } from "./messages.ts";
import { limitMatching } from "./text.ts";

/** Milliseconds for checking one body. */
const TIME = 250;

/** How many of them are left. Bodies are checked one after the other. */
let left = TIME;

/** Begins the check of a body. */
const beginBody = (): void => void (left = TIME);

const context = createContext(Object.create(null));
const run = new Script("work()");

/** The error belongs to the context's own realm, so `instanceof` does not work. */
const isTimeout = (error: unknown): boolean => isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/**
 * Runs synchronous work, and interrupts it if it takes too long, even in the middle of a pattern match.
 *
 * @throws ValidationError if it was interrupted
 */
const withinTime = <Result>(work: () => Result): Result => {
  let result: { readonly value: Result } | undefined;
  const start = performance.now();
  const timeout = Math.max(1, Math.ceil(left));
  try {
    run.runInContext(Object.assign(context, { work: () => void (result = { value: work() }) }), { timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    left -= performance.now() - start;
    Object.assign(context, { work: undefined });
  }
  if (!result) throw new ValidationError("The data take too long to check: a text is too long for its pattern");
  return result.value;
};

limitMatching(withinTime);

export type Data = Readonly<Record<string, unknown>>;

/** One entry of `error.details.errors`. */
export interface FieldError {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  /** The refused value; missing if there was none. */
  readonly value?: unknown;
}

export type Path = readonly PropertyKey[];

type Issue = z.core.$ZodIssue;

/** The value at a path; undefined if there is none. */
export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) ? value[String(key)] : undefined;
  }, root);

/** The path of an issue. For rich text it is that of the whole node, for a zone's entry that of `__component`. */
const issuePath = (issue: Issue): Path =>
  issue.code === "invalid_union" && issue.path.at(-1) === "type" ? issue.path.slice(0, -1) : issue.path;

/** The value as a response shows it. Casting replaces infinite numbers by the largest; JSON has null for those. */
const shown = (value: unknown): unknown => {
  if (typeof value === "symbol") return undefined;
  return typeof value === "number" && Math.abs(value) >= Number.MAX_VALUE ? null : value;
};

const fieldError = (issue: Issue, data: unknown, { isHidden }: Check): FieldError => {
  const path = issuePath(issue);
  const value = isHidden?.(path) ? undefined : shown(valueAt(data, path));
  return {
    path: path.map(String),
    message: issue.message,
    name: "ValidationError",
    ...(value === undefined ? {} : { value }),
  };
};

const place = ({ path }: Issue): string => path.join(".");

/** The message of an issue that may lack its input. */
const messageOf = (issue: Issue, context: MessageContext): string | undefined =>
  contractMessage({ input: undefined, ...issue }, context);

/** The first option of a union is the one that is meant: the others represent no value, such as empty text. */
const flattened = (issue: Issue, context: MessageContext): readonly Issue[] => {
  const [first = []] = issue.code === "invalid_union" ? issue.errors : [];
  if (first.length === 0) return [issue];
  return first.flatMap((each) => {
    const moved = { ...each, path: [...issue.path, ...each.path] };
    // A message that the schema gives stays; others name the path.
    if (each.message === messageOf(each, context)) moved.message = messageOf(moved, context) ?? each.message;
    return flattened(moved, context);
  });
};

/** A wrong type is a value's only fault; if a number exceeds several limits, only the narrowest is shown. */
const withoutRepeats = (issues: readonly Issue[]): readonly Issue[] => {
  const wrong = new Set(issues.filter(({ code }) => code === "invalid_type").map(place));
  const limits = new Map(issues.filter(isNumberLimit).map((issue) => [`${place(issue)} ${issue.code}`, issue]));
  return issues.filter((issue) => {
    if (isNumberLimit(issue) && limits.get(`${place(issue)} ${issue.code}`) !== issue) return false;
    return issue.code === "invalid_type" || !wrong.has(place(issue));
  });
};

const isNumberLimit = (issue: Issue): boolean =>
  (issue.code === "too_small" || issue.code === "too_big") && issue.origin === "number";

/** A list or object in place of an enumeration value is also reported as a wrong type. */
const noText = (issue: Issue, data: unknown): FieldError[] => {
  const value = valueAt(data, issue.path);
  if (issue.code !== "invalid_value" || typeof value !== "object" || value === null) return [];
  return [
    { path: issue.path.map(String), message: notOfType("string", issue.path, value), name: "ValidationError", value },
  ];
};

export interface Check extends MessageContext {
  /** Whether a text is so long that an application's pattern, which has no time limit of its own, may take long. */
  readonly hasLong?: boolean;
  /** Whether to ignore an issue. */
  readonly isIgnored: (issue: Issue) => boolean;
  /** Whether errors hide the value at a path. */
  readonly isHidden?: (path: Path) => boolean;
}

/** Returns the faults of data whose values have been cast to the types of their attributes. */
export const checkData = (schema: Schema, data: unknown, check: Check): readonly FieldError[] => {
  beginBody();
  const parse = () => schema.safeParse(data, { error: (issue) => contractMessage(issue, check), reportInput: true });
  const { error: failure } = check.hasLong === true ? withinTime(parse) : parse();
  if (!failure) return [];
  const issues = failure.issues.flatMap((issue) => flattened(issue, check)).filter((issue) => !check.isIgnored(issue));
  return withoutRepeats(issues).flatMap((issue) => [...noText(issue, data), fieldError(issue, data, check)]);
};

/** The error for one or more faults, as a response shows it. */
export const validationError = (errors: readonly FieldError[]): ValidationError => {
  const [first] = errors;
  const message = errors.length === 1 && first ? first.message : `${errors.length} errors occurred`;
  return new ValidationError(message, { errors });
};
