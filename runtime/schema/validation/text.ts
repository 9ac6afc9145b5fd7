/** Builders of text attributes. */
import { z } from "zod";
import type { AttributeOptions, AttributeValidator } from "./attribute.ts";
import { attribute } from "./base.ts";
import { EMAIL } from "./email.ts";

/** Characters that a `varchar` column takes. */
const VARCHAR = 255;

/** Lengths in UTF-16 units, both included, and a pattern. A draft keeps the greatest length only. */
export interface TextOptions extends AttributeOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Source of a regular expression. */
  readonly regex?: string;
}

interface Pattern {
  readonly regex: RegExp;
  readonly format: "regex" | "email";
  /** Whether the empty text passes, matching or not. */
  readonly orEmpty: boolean;
  /** Beyond this length nothing matches. */
  readonly longest?: number;
}

/** Text that matches; in JSON Schema a `pattern` like Zod's own `regex`. */
const matching = (schema: z.ZodString, { regex, format, orEmpty, longest = Infinity }: Pattern): z.ZodString =>
  schema
    .check(({ value, issues }) => {
      if ((value === "" && orEmpty) || (value.length <= longest && regex.test(value))) return;
      issues.push({ code: "invalid_format", format, pattern: regex.toString(), input: value, continue: true });
    })
    .meta({ pattern: regex.source });

interface TextKind {
  /** The column's limit. */
  readonly longest?: number;
  readonly pattern?: Pattern;
}

const atMost = (max: number): z.ZodString =>
  (Number.isFinite(max) ? z.string().max(max) : z.string()).refine((value) => !value.includes("\0"), {
    params: { rule: "text" },
  });

const textAttribute = (options: TextOptions, { longest = Infinity, pattern }: TextKind = {}): AttributeValidator => {
  const full = atMost(Math.min(options.maxLength ?? Infinity, longest));
  // A draft need not match its pattern, and has to fit all the same.
  const lenient = atMost(Math.min(options.maxLength ?? Infinity, longest, pattern?.longest ?? Infinity));
  const patterns = [
    ...(pattern ? [pattern] : []),
    ...(options.regex === undefined
      ? []
      : [{ regex: new RegExp(options.regex), format: "regex" as const, orEmpty: !options.required }]),
  ];
  const least = options.minLength === undefined ? full : full.min(options.minLength);
  return attribute(options, { full: patterns.reduce(matching, least), lenient });
};

/** A text of at most 255 characters. */
export const string = (options: TextOptions = {}): AttributeValidator => textAttribute(options, { longest: VARCHAR });
/** A text of any length. */
export const text = (options: TextOptions = {}): AttributeValidator => textAttribute(options);
/** Markdown or HTML of any length, stored as it comes. */
export const richtext = (options: TextOptions = {}): AttributeValidator => textAttribute(options);

/** A mail address. */
export const email = (options: TextOptions = {}): AttributeValidator =>
  textAttribute(options, { pattern: { regex: EMAIL, format: "email", orEmpty: false, longest: VARCHAR } });

/** bcrypt looks at 72 bytes only, so anything beyond them would be ignored silently. */
const PASSWORD_BYTES = 72;

const short = (schema: z.ZodType): z.ZodType =>
  schema.refine((value) => typeof value !== "string" || Buffer.byteLength(value) <= PASSWORD_BYTES, {
    params: { rule: "password" },
  });

/** Stored as a bcrypt hash, and never answered. At most 72 bytes. */
export const password = (options: TextOptions = {}): AttributeValidator => {
  const { published, draft, ...rest } = textAttribute(options);
  return { ...rest, published: short(published), update: short(published).optional(), draft: short(draft) };
};

const UID = /^[A-Za-z0-9-_.~]*$/;

export interface UidOptions extends TextOptions {
  readonly targetField?: string;
}

/** Unique whether the schema says so or not. */
export const uid = (options: UidOptions = {}): AttributeValidator =>
  textAttribute(
    { ...options, unique: true },
    {
      longest: VARCHAR,
      ...(options.regex === undefined ? { pattern: { regex: UID, format: "regex", orEmpty: true } } : {}),
    },
  );
