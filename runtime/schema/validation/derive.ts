/**
 * Derives the schemas for bodies from the generated ones. A generated schema describes a published document; a derived
 * one describes a body in a certain mode. Each is made once, at its first use.
 */
import { z } from "zod";
import { blockNodes, flatBlockNodes } from "./blocks.ts";
import { invalidJson } from "./casting.ts";
import { type BigIntegerKind, kindOf } from "./kinds.ts";
import { matchesPattern } from "./matching.ts";
import { type SchemaMember, membersOf, type Schema } from "./members.ts";
import { isLenient, isNew, type Rules } from "./mode.ts";
import { DECIMAL, INT4, INT8 } from "./numbers.ts";
import { fitsHash } from "./text.ts";

/** Refuses undefined and null, which `z.unknown()` accepts. */
const present = z.unknown().refine((value) => value !== undefined && value !== null, { params: { rule: "present" } });

/** Whether a JSON value contains no U+0000 in texts and keys: the database could store but not read it. */
const isReadable = (value: unknown): boolean => {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => !key.includes("\0") && isReadable(member));
};

const readable = { params: { rule: "text" } };

const text = (core: z.ZodString | z.ZodStringFormat, { required }: SchemaMember, lenient: boolean): z.ZodType => {
  const checks = core.def.checks ?? [];
  const { minLength, maxLength } = core;
  const fits = maxLength === null ? z.string() : z.string().max(maxLength);
  const stored = fits.refine(isReadable, readable);
  if (lenient) return stored;
  const patterns = checks
    .filter((check) => check instanceof z.core.$ZodCheckRegex)
    .map((check) => check._zod.def.pattern);
  const long = minLength === null ? stored : stored.min(minLength);
  const addressed = core instanceof z.ZodEmail ? long.check(email(core, maxLength ?? Infinity)) : long;
  // The empty text of an optional value matches any pattern.
  return patterns.reduce(
    (schema, pattern) => schema.check(matches(pattern, !required, maxLength ?? Infinity)),
    addressed,
  );
};

const email =
  ({ def: { pattern = /^/ } }: z.ZodEmail, longest: number): z.core.CheckFn<string> =>
  ({ value, issues }) => {
    // Texts that are too long are not matched against the pattern, since that takes time.
    if (value.length <= longest && pattern.test(value)) return;
    issues.push({ code: "invalid_format", format: "email", pattern: pattern.toString(), input: value, continue: true });
  };

/** A pattern check. Texts over the maximum length fail for their length, and are not matched. */
const matches =
  (pattern: RegExp, orEmpty: boolean, longest: number): z.core.CheckFn<string> =>
  ({ value, issues }) => {
    if ((value === "" && orEmpty) || value.length > longest || matchesPattern(pattern, value)) return;
    issues.push({ code: "invalid_format", format: "regex", pattern: pattern.toString(), input: value, continue: true });
  };

const FLOAT8 = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };

const finite = z.number().refine((value) => Math.abs(value) < Number.MAX_VALUE, { params: { rule: "finite" } });
const whole = z.number().refine(Number.isInteger, { params: { rule: "integer" } });

/** In a draft, only the upper limit and the range of the column are checked. */
const number = (core: z.ZodNumber, lenient: boolean): z.ZodType => {
  const column = core.format === "int32" ? INT4 : kindOf(core)?.kind === "decimal" ? DECIMAL : FLOAT8;
  const least = lenient ? column.min : Math.max(core.minValue ?? column.min, column.min);
  const most = Math.min(core.maxValue ?? column.max, column.max);
  return (core.format === "int32" ? whole : finite).min(least).max(most);
};

const biginteger = ({ min, max }: Pick<BigIntegerKind, "min" | "max">): z.ZodType =>
  z.unknown().check(({ value, issues }) => {
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) {
      issues.push({ code: "custom", input: value, params: { rule: "biginteger" } });
    } else if (BigInt(value) < min) {
      issues.push({ code: "too_small", origin: "bigint", minimum: min, input: value, inclusive: true });
    } else if (BigInt(value) > max) {
      issues.push({ code: "too_big", origin: "bigint", maximum: max, input: value, inclusive: true });
    }
  });

const anyJson = present
  .refine((value) => value !== invalidJson, { params: { rule: "json" } })
  .refine(isReadable, readable);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const linked = z.unknown().refine((value) => !isEmpty(value), { params: { rule: "present" } });
const anything = z.unknown().optional();

/** The document service parses links; here a required link only has to be present. */
const link = (required: boolean, { mode, strictRelations }: Rules): z.ZodType => {
  if (!required || !strictRelations || isLenient(mode)) return anything;
  return mode === "update" ? linked.optional() : linked;
};

const component = (core: z.ZodObject, required: boolean, rules: Rules): z.ZodType => {
  const { mode } = rules;
  const entry = z.lazy(() => bodySchema(core, rules));
  const own = required && !isLenient(mode) ? entry : entry.nullable();
  return required && mode === "create" ? own : own.optional();
};

const entries = (element: z.core.$ZodType, rules: Rules): z.ZodType => {
  if (element instanceof z.ZodObject) return bodySchema(element, rules);
  if (!(element instanceof z.ZodDiscriminatedUnion)) return z.never();
  const options = element.options.filter((option) => option instanceof z.ZodObject);
  const [first, ...others] = options.map((option) => bodySchema(option, rules));
  return first ? z.discriminatedUnion("__component", [first, ...others]) : z.never();
};

/** Limits apply when publishing. An empty list must reach the lower limit only if it is required. */
const list = (core: z.ZodArray, required: boolean, rules: Rules): z.ZodType => {
  const { mode } = rules;
  const items = z.array(z.lazy(() => entries(core.element, rules)));
  const limited = isLenient(mode) ? items : limit(items, lengthsOf(core), required);
  return required && isNew(mode) ? limited : limited.optional();
};

/** How many items a list may have. */
export interface Lengths {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

export const lengthsOf = ({ def: { checks = [] } }: z.ZodArray): Lengths => ({
  most: checks.find((check) => check instanceof z.core.$ZodCheckMaxLength)?._zod.def.maximum,
  least: checks.find((check) => check instanceof z.core.$ZodCheckMinLength)?._zod.def.minimum,
});

const limit = (items: z.ZodArray, { least, most }: Lengths, required: boolean): z.ZodArray => {
  const bounded = most === undefined ? items : items.max(most);
  if (least === undefined) return bounded;
  return required
    ? bounded.min(least)
    : bounded.check(({ value, issues }) => {
        if (value.length === 0 || value.length >= least) return;
        issues.push({ code: "too_small", origin: "array", minimum: least, input: value, inclusive: true });
      });
};

/** The schema of a value that is present. */
const value = (member: SchemaMember, lenient: boolean, { isCompiled }: Rules): z.ZodType => {
  const { core } = member;
  const kind = kindOf(core);
  switch (kind?.kind) {
    case "biginteger":
      return biginteger(lenient ? { min: INT8.min, max: kind.max } : kind);
    case "blocks":
      return (isCompiled ? flatBlockNodes : blockNodes).refine(isReadable, readable);
    case "instant":
      // The value is parsed when it is stored; here it only has to be present.
      return present;
    case "json":
      return anyJson;
    default:
  }
  if (core instanceof z.ZodString || core instanceof z.ZodStringFormat) {
    const schema = text(core, member, lenient);
    return kind?.kind === "password" ? schema.refine(fitsHash, { params: { rule: "password" } }) : schema;
  }
  if (core instanceof z.ZodNumber) return number(core, lenient);
  if (core instanceof z.ZodBoolean || core instanceof z.ZodEnum) return core;
  throw new Error(`no attribute has a schema of the type ${core._zod.def.type}`);
};

const attribute = (member: SchemaMember, rules: Rules): z.ZodType => {
  const { mode } = rules;
  const { core, required } = member;
  const kind = kindOf(core)?.kind;
  if (kind === "file" || kind === "relation") return link(required, rules);
  if (core instanceof z.ZodLiteral) return core;
  if (core instanceof z.ZodObject) return component(core, required, rules);
  if (core instanceof z.ZodArray && kind === undefined) return list(core, required, rules);
  const schema = value(member, isLenient(mode), rules);
  const own = required && !isLenient(mode) ? schema : schema.nullish();
  return mode === "update" ? own.optional() : own;
};

type BodySchema = z.ZodObject<Record<string, z.ZodType>, z.core.$loose>;

const compose = (schema: Schema, rules: Rules): BodySchema => {
  const { id: _, ...attributes } = Object.fromEntries(membersOf(schema));
  return z.looseObject(
    Object.fromEntries(Object.entries(attributes).map(([name, member]) => [name, attribute(member, rules)])),
  );
};

/** Body schemas depend only on the generated schema, so all servers in the process share them. */
const known = new WeakMap<Schema, Map<string, BodySchema>>();

/** The schema for bodies of a content type or component. */
export const bodySchema = (schema: Schema, rules: Rules): BodySchema => {
  const made = known.get(schema) ?? new Map<string, BodySchema>();
  known.set(schema, made);
  const key = `${rules.mode} ${rules.strictRelations} ${rules.isCompiled}`;
  const derived = made.get(key) ?? compose(schema, rules);
  made.set(key, derived);
  return derived;
};

/** The schema for drafts of a document: without required values and lower limits. */
export const draftOf = (schema: Schema): z.ZodType => bodySchema(schema, { mode: "draft", strictRelations: true });
