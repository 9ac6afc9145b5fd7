/** Turns Zod's issues into the messages of the wire contract. */
import type { z } from "zod";
import type { Mode } from "./mode.ts";
import { pathText, valueText } from "./print.ts";

export { pathText } from "./print.ts";

type Issue = z.core.$ZodRawIssue;

/** The message for missing parts of a value, which the contract calls fields. */
export const missing = ({ input, path }: Pick<Issue, "input" | "path">): string | undefined =>
  input === undefined ? `${pathText(path)} is a required field` : undefined;

/** Messages for our own rules, by the name in an issue's `params`. */
const RULES: Readonly<Record<string, string>> = {
  present: "must be defined.",
  integer: "must be an integer",
  finite: "must be a finite number",
  biginteger: "must be a valid integer",
  json: "must be valid JSON",
  text: "must not contain the character U+0000",
  password: "must be at most 72 bytes",
};

const article = (expected: string): string => (expected === "record" ? "object" : expected);

/** Returns the value in the original body, before casting. */
export type Original = (path: readonly PropertyKey[]) => unknown;

/** The message for a value that cannot be cast to a type. */
export const notOfType = (expected: string, path: readonly PropertyKey[], value: unknown): string =>
  `${pathText(path)} must be a \`${expected}\` type, but the final value was: \`${valueText(value)}\`.`;

const wrongType = (expected: string, { input, path = [] }: Issue, original: Original): string => {
  if (input === undefined) return "must be defined.";
  const sent = original(path);
  const cast = Object.is(sent, input) ? "" : ` (cast from the value \`${valueText(sent)}\`)`;
  return `must be a \`${article(expected)}\` type, but the final value was: \`${valueText(input)}\`${cast}.`;
};

const LIMITS = {
  string: {
    too_small: (n: string) => `must be at least ${n} characters`,
    too_big: (n: string) => `must be at most ${n} characters`,
  },
  number: {
    too_small: (n: string) => `must be greater than or equal to ${n}`,
    too_big: (n: string) => `must be less than or equal to ${n}`,
  },
  array: {
    too_small: (n: string) => `field must have at least ${n} items`,
    too_big: (n: string) => `field must have less than or equal to ${n} items`,
  },
};

const limit = (origin: string) => (origin === "string" || origin === "array" ? LIMITS[origin] : LIMITS.number);

/** The message for a wrong component in a zone. If the component does not exist at all, it lists all that exist. */
const componentChoice = (issue: Issue, components: readonly string[]): string => {
  const uid: unknown = at(issue.input, "__component");
  if (uid === undefined) return "is a required field";
  const allowed = Array.isArray(issue["options"]) ? issue["options"].map(String) : [];
  const listed = components.includes(String(uid)) ? allowed : components.toSorted().toReversed();
  return `must be one of the following values: ${listed.join(", ")}`;
};

const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

const text = (issue: Issue, original: Original, components: readonly string[], mode: Mode): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === null && issue.expected === "boolean") {
        return mode === "create" ? "must be defined." : "cannot be null.";
      }
      return wrongType(String(issue.expected), issue, original);
    case "too_small":
      return limit(String(issue.origin)).too_small(String(issue.minimum));
    case "too_big":
      return limit(String(issue.origin)).too_big(String(issue.maximum));
    case "invalid_format":
      if (issue.format !== "email") return `must match the following: "${String(issue.pattern)}"`;
      return issue.input === "" ? "cannot be empty" : "must be a valid email";
    case "invalid_value":
      if (issue.input === undefined) return "must be defined.";
      if (issue.input === null) return wrongType("string", issue, original);
      return `must be one of the following values: ${issue.values.map(String).join(", ")}, `;
    case "invalid_union":
      return componentChoice(issue, components);
    case "custom":
      return RULES[String(issue.params?.["rule"])];
    default:
      return undefined;
  }
};

/** Zod's error map for one body. `original` returns the value before casting; `components` are all uids. */
export const contractMessage =
  (original: Original, components: readonly string[], mode: Mode) =>
  (issue: Issue): string | undefined => {
    const message = text(issue, original, components, mode);
    return message === undefined ? undefined : `${pathText(issue.path)} ${message}`;
  };
