/** How values of one type convert to another: the single table for columns and for values inside JSON. */
import { formOf, isScalarType, type ScalarForm, type ScalarType } from "../../runtime/base/scalar-form.ts";
import type { AttributeOutline } from "./snapshot.ts";
import { literal } from "./sql.ts";

export type Scalar = Extract<AttributeOutline, { kind: "scalar" }>;

/** What the schema says about the changed values of one attribute. */
export interface AttributeHints {
  readonly convert?: string | undefined;
  /** Whether the attribute is required; a new one's default, if it is required and has one other than null. */
  readonly required?: true;
  readonly default?: unknown;
  /** On the way back: whether a hand-written expression converted it on the way there. */
  readonly wasConverted?: true;
  /** Old enum value by new. */
  readonly renamedValues?: Readonly<Record<string, string>> | undefined;
}

/** Values that do not fit. */
export interface Misfits {
  /** What sets them apart: `beyond 2147483647`. */
  readonly which: string;
  /** Whether the SQL of a value is one of them. */
  readonly condition: (value: string) => string;
  /** What to do about them if they block the migration. */
  readonly stops?: string;
}

/** The conversion of values; `using` takes the SQL of an old value and returns that of the new one. */
export type Conversion =
  /** Only the catalogue changes. */
  | { readonly kind: "free" }
  /** Every value fits the new type; PostgreSQL rewrites the table. */
  | { readonly kind: "lossless"; readonly using: (value: string) => string; readonly misfits?: Misfits }
  /** Values may not fit: PostgreSQL refuses them, or truncates what the reason says. */
  | {
      readonly kind: "narrowing";
      readonly using?: (value: string) => string;
      readonly reason: string;
      readonly misfits: Misfits;
    }
  /**
   * Needs an expression that only a person can write; `exact` converts texts that are written as the new type writes its
   * values, and stops the migration at others.
   */
  | { readonly kind: "unknown"; readonly suggestion?: string | undefined; readonly exact?: Exact };

type Exact = Extract<Conversion, { readonly kind: "lossless" }>;

const free: Conversion = { kind: "free" };
const unknown: Conversion = { kind: "unknown" };

const textual = /^(text|varchar(\(\d+\))?)$/;
const lengthOf = (type: string): number => Number(/^varchar\((\d+)\)$/.exec(type)?.[1] ?? Infinity);

const lossless = new Set([
  "integer>bigint",
  "integer>double precision",
  "date>timestamp(3)",
  "smallint>integer",
  "smallint>bigint",
  "numeric(10, 2)>double precision",
]);

const CHANGE = "change them first";

type Narrowing = Misfits & { readonly reason: string };

const beyondDigits: Narrowing = {
  reason: "values of more than eight digits are refused",
  which: "of more than eight digits",
  condition: (value) => `abs((${value})::numeric) >= 100000000`,
  stops: CHANGE,
};
const rounded: Narrowing = {
  reason: "it rounds",
  which: "with a fraction, which is rounded",
  condition: (value) => `(${value}) <> round((${value})::numeric)`,
};

const narrowing = new Map<string, Narrowing>([
  [
    "bigint>integer",
    {
      reason: "values beyond 2147483647 are refused",
      which: "beyond 2147483647",
      condition: (value) => `(${value}) not between -2147483648 and 2147483647`,
      stops: CHANGE,
    },
  ],
  ["integer>numeric(10, 2)", beyondDigits],
  ["bigint>numeric(10, 2)", beyondDigits],
  [
    "bigint>double precision",
    {
      reason: "beyond 15 digits the last ones are lost",
      which: "of which the last digits go",
      condition: (value) => `(${value})::double precision::numeric <> (${value})`,
    },
  ],
  [
    "double precision>numeric(10, 2)",
    {
      reason: "it keeps two digits after the point",
      which: "of more than two digits after the point",
      condition: (value) => `round((${value})::numeric, 2) <> (${value})::numeric`,
    },
  ],
  ["double precision>integer", rounded],
  ["double precision>bigint", rounded],
  ["numeric(10, 2)>integer", rounded],
  ["numeric(10, 2)>bigint", rounded],
  [
    "timestamp(3)>date",
    {
      reason: "the time of day is lost",
      which: "of which the time of day goes",
      condition: (value) => `(${value}) <> (${value})::date`,
    },
  ],
  [
    "timestamp(3)>time(3)",
    { reason: "the date is lost", which: "of which the date goes", condition: (value) => `(${value}) is not null` },
  ],
]);

const tooLong = (longest: number): Narrowing => ({
  reason: `texts of more than ${longest} characters are refused`,
  which: `of more than ${longest} characters`,
  condition: (value) => `char_length(${value}) > ${longest}`,
  stops: "shorten them first",
});

/** Instants and times of day in the format that clients see. */
export const instantText = (value: string): string => `to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const timeText = (value: string): string => `to_char((${value})::interval, 'HH24:MI:SS.MS')`;

/** The same for any value. */
const asText = (type: string, value: string): string => {
  if (type === "timestamp(3)") return instantText(value);
  return type === "time(3)" ? timeText(value) : `(${value})::text`;
};

/** How a column changes from one SQL type to another. */
export const conversion = (from: string, to: string): Conversion => {
  if (from === to) return free;
  if (textual.test(from) && textual.test(to)) {
    if (lengthOf(to) >= lengthOf(from)) return free;
    const misfits = tooLong(lengthOf(to));
    return { kind: "narrowing", reason: misfits.reason, misfits };
  }
  const change = `${from}>${to}`;
  const using = (value: string): string => `(${value})::${to}`;
  if (lossless.has(change)) return { kind: "lossless", using };
  const narrowed = narrowing.get(change);
  if (narrowed) return { kind: "narrowing", using, reason: narrowed.reason, misfits: narrowed };
  const isShort = /^(integer|bigint|smallint|boolean|date|time|timestamp|double|numeric)/.test(from);
  if (to === "text" || (isShort && lengthOf(to) >= 255 && textual.test(to))) {
    return { kind: "lossless", using: (value) => asText(from, value) };
  }
  return unknown;
};

const VARCHAR = "varchar(255)";

const SQL_TYPES: Readonly<Record<ScalarType, string>> = {
  string: VARCHAR,
  email: VARCHAR,
  password: VARCHAR,
  uid: VARCHAR,
  text: "text",
  richtext: "text",
  enumeration: "text",
  integer: "integer",
  biginteger: "bigint",
  float: "double precision",
  decimal: "numeric(10, 2)",
  boolean: "boolean",
  date: "date",
  time: "time(3)",
  datetime: "timestamp(3)",
  timestamp: "timestamp(3)",
  json: "json",
  blocks: "json",
};

/** The column type for an attribute type; text for one of another version of the package. */
export const sqlTypeOf = (type: string): string => (isScalarType(type) ? SQL_TYPES[type] : "text");

/** The value format of an attribute type; text for one of another version of the package. */
export const storedForm = (type: string): ScalarForm => (isScalarType(type) ? formOf(type) : "text");

/** Conversions that would publish hashes, store plain texts as hashes, or show JSON on pages. */
const isMisread = (from: string, to: string): boolean =>
  from === "password" ||
  to === "password" ||
  to === "blocks" ||
  (from === "blocks" && to !== "json") ||
  (from === "json" && to === "richtext");

/** How an attribute changes from one type to another. */
export const conversionOf = (from: string, to: string): Conversion => {
  if (from === to) return free;
  return isMisread(from, to) ? unknown : conversion(sqlTypeOf(from), sqlTypeOf(to));
};

/** Parses a value from its text, for the way back: an invalid one stops the migration. */
const fromText = (from: string, to: string, value: string): string =>
  // A time of day has lost its date.
  from === "time(3)" && to === "timestamp(3)" ? `timestamp '1970-01-01' + ${value}` : `(${value})::text::${to}`;

/** Texts that are known to fit. */
const shortTexts = (to: string): Conversion =>
  to === "text" ? free : { kind: "lossless", using: (value) => `(${value})::${to}` };

/** Reads texts as another type, if that would write them in the same way. */
const exactly = (before: Scalar, after: Scalar): { exact?: Exact } => {
  const to = sqlTypeOf(after.type);
  if (before.type === "password" || storedForm(before.type) !== "text" || to === "json" || textual.test(to)) return {};
  const read = (value: string): string => `(${value})::text::${to}`;
  const isSame = (value: string): string => `${asText(to, read(value))} = (${value})::text`;
  const misfits: Misfits = {
    which: `that ${after.type} would write otherwise, or cannot read`,
    // Available since PostgreSQL 16.
    condition: (value) =>
      `case when pg_input_is_valid((${value})::text, ${literal(to)}) then not ${isSame(value)} else true end`,
    stops: CHANGE,
  };
  // A type refuses to read a text with more words than it knows.
  const using = (value: string): string =>
    `case when ${isSame(value)} then ${read(value)} else ('written otherwise: ' || ${value})::${to} end`;
  return { exact: { kind: "lossless", using, misfits } };
};

/** The same for one direction of a migration: the way back parses what a conversion made. */
export const conversionFor = (
  way: "up" | "down",
  before: Scalar,
  after: Scalar,
  hints: AttributeHints | undefined,
): Conversion => {
  const to = sqlTypeOf(after.type);
  if (after.type !== "password" && textual.test(to) && before.enum?.every(({ length }) => length <= lengthOf(to)))
    return shortTexts(to);
  const known = conversionOf(before.type, after.type);
  if (known.kind !== "unknown") return known;
  if (way === "up") return { ...known, ...exactly(before, after) };
  const from = sqlTypeOf(before.type);
  const cameByItself = conversionOf(after.type, before.type).kind !== "unknown";
  if (!cameByItself && !hints?.wasConverted) return known;
  if (from === to) return free;
  const misfits: Misfits = {
    which: `unreadable as ${after.type}`,
    // Available since PostgreSQL 16.
    condition: (value) => `not pg_input_is_valid((${value})::text, ${literal(to)})`,
    stops: CHANGE,
  };
  return { kind: "lossless", using: (value) => fromText(from, to, value), misfits };
};
