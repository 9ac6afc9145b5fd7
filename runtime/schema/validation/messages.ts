/** Turns Zod's issues into the messages of the wire contract. */
import type { z } from "zod";
import { isRecord } from "../../base/is-record.ts";
import { MISSING } from "./links.ts";
import { pathText, valueText } from "./print.ts";

export { pathText } from "./print.ts";

type Issue = z.core.$ZodRawIssue;

/** The message for missing parts of a value, which the contract calls fields. */
export const missing = ({ input, path }: Pick<Issue, "input" | "path">): string | undefined =>
  input === undefined ? `${pathText(path)} is a required field` : undefined;

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

/** The message for a wrong component in a zone. */
const componentChoice = ({ input, options, discriminator }: Issue): string | undefined => {
  if (discriminator === undefined) return undefined;
  if (!isRecord(input) || input[String(discriminator)] === undefined) return "is a required field";
  return `must be one of the following values: ${Array.isArray(options) ? options.map(String).join(", ") : ""}`;
};

/** The message for a text of the wrong form. */
const format = ({ format: name, pattern, input, ...issue }: Issue): string => {
  switch (name) {
    case "regex":
      return `must match the following: "${String(pattern)}"`;
    case "email":
      return input === "" ? "cannot be empty" : "must be a valid email";
    case "starts_with":
      return `must start with ${valueText(issue["prefix"])}`;
    case "ends_with":
      return `must end with ${valueText(issue["suffix"])}`;
    case "includes":
      return `must contain ${valueText(issue["includes"])}`;
    default:
      return `must be a valid ${String(name)}`;
  }
};

const typeText = (issue: Issue, { original, isNew }: MessageContext): string => {
  const { input, expected } = issue;
  if (expected === "int") return "must be an integer";
  if (input === null && expected === "boolean") return isNew ? "must be defined." : "cannot be null.";
  return wrongType(String(expected), issue, original);
};

const text = (issue: Issue, context: MessageContext): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue, context);
    case "too_small":
      return limit(String(issue.origin)).too_small(String(issue.minimum));
    case "too_big":
      return limit(String(issue.origin)).too_big(String(issue.maximum));
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return format(issue);
    case "invalid_value":
      if (issue.input === undefined) return "must be defined.";
      if (issue.input === null) return wrongType("string", issue, context.original);
      return `must be one of the following values: ${issue.values.map(String).join(", ")}, `;
    case "invalid_union":
      return componentChoice(issue);
    case "custom":
      return issue.params?.["rule"] === MISSING ? "must be defined." : "is invalid";
    default:
      return undefined;
  }
};

export interface MessageContext {
  /** Returns the value in the body, before casting. */
  readonly original: Original;
  /** Whether the document is new. */
  readonly isNew: boolean;
}

/** The contract's message for an issue of a body. */
export const contractMessage = (issue: Issue, context: MessageContext): string | undefined => {
  const message = text(issue, context);
  return message === undefined ? undefined : `${pathText(issue.path)} ${message}`;
};
