/** The attribute types with a single value, and what each is generated as. */
import type { ScalarType } from "../../runtime/base/scalar-form.ts";
import type { ScalarAttribute } from "../model/model.ts";
import { isPresent } from "./common.ts";
import { stringLiteral, valueLiteral } from "./literal.ts";

export interface ScalarCode {
  /** The Drizzle column builder and its arguments. */
  readonly builder: string;
  readonly columnOptions?: string;
  /** The Zod schema for any value, or how to build it. */
  readonly schema: string | ((attribute: ScalarAttribute) => string);
  /** The type of a value in an answer. */
  readonly document: string | ((attribute: ScalarAttribute) => string);
  /** The GraphQL scalar; an enumeration has its own type. */
  readonly graphql: string;
  /** The type's limits: of a text's length, or of a number. Other types have theirs in `schema`. */
  readonly limits?: "length" | "range";
  /** The length that the column takes. */
  readonly longest?: number;
  /** Unique whatever the schema file says. */
  readonly unique?: true;
  /** Values may exceed the size of an index entry. */
  readonly long?: true;
  /** In no answer. */
  readonly secret?: true;
}

/** The length of a `varchar` column. */
const VARCHAR = 255;

const varchar = {
  builder: "varchar",
  columnOptions: `{ length: ${VARCHAR} }`,
  longest: VARCHAR,
} as const;
const text = { builder: "text", long: true } as const;
const instant = {
  builder: "timestamp",
  columnOptions: `{ precision: 3, mode: "string" }`,
} as const;

const values = ({ enum: allowed = [] }: ScalarAttribute): readonly string[] => allowed;

/** Only limits that are numbers are enforced. */
const biginteger = ({ min, max }: ScalarAttribute): string => {
  const limits = Object.entries({ min, max }).filter(([, limit]) => typeof limit === "number");
  return `biginteger(${limits.length > 0 ? valueLiteral(Object.fromEntries(limits)) : ""})`;
};

export const scalarTypes: Readonly<Record<ScalarType, ScalarCode>> = {
  string: { ...varchar, schema: "z.string()", limits: "length", document: "string", graphql: "String" },
  text: { ...text, schema: "z.string()", limits: "length", document: "string", graphql: "String" },
  richtext: { ...text, schema: "z.string()", limits: "length", document: "string", graphql: "String" },
  email: { ...varchar, schema: "email()", limits: "length", document: "string", graphql: "String" },
  password: {
    ...varchar,
    schema: "password()",
    limits: "length",
    // The stored value is a hash.
    longest: Infinity,
    document: "string",
    graphql: "String",
    secret: true,
  },
  uid: {
    ...varchar,
    // A custom pattern replaces the default one.
    schema: ({ regex }) => (regex === undefined ? "slug()" : "z.string()"),
    limits: "length",
    document: "string",
    graphql: "String",
    unique: true,
  },
  enumeration: {
    builder: "text",
    schema: (attribute) => `z.enum(${valueLiteral(values(attribute))})`,
    document: (attribute) => values(attribute).map(stringLiteral).join(" | ") || "never",
    graphql: "String",
  },
  integer: {
    builder: "integer",
    schema: "z.int32()",
    limits: "range",
    document: "number",
    graphql: "Int",
  },
  biginteger: {
    builder: "bigint",
    columnOptions: `{ mode: "bigint" }`,
    schema: biginteger,
    document: "string",
    graphql: "Long",
  },
  float: {
    builder: "doublePrecision",
    schema: "z.number()",
    limits: "range",
    document: "number",
    graphql: "Float",
  },
  decimal: {
    builder: "numeric",
    columnOptions: "{ precision: 10, scale: 2 }",
    schema: "decimal()",
    limits: "range",
    document: "number",
    graphql: "Float",
  },
  date: {
    builder: "date",
    columnOptions: `{ mode: "string" }`,
    schema: "date()",
    document: "string",
    graphql: "Date",
  },
  time: {
    builder: "time",
    columnOptions: "{ precision: 3 }",
    schema: "time()",
    document: "string",
    graphql: "Time",
  },
  datetime: { ...instant, schema: "datetime()", document: "string", graphql: "DateTime" },
  timestamp: { ...instant, schema: "datetime()", document: "string", graphql: "DateTime" },
  boolean: { builder: "boolean", schema: "z.boolean()", document: "boolean", graphql: "Boolean" },
  json: {
    builder: "json",
    schema: "json()",
    // JSON's own null does not count as a value.
    document: (attribute) => (isPresent(attribute) ? "NonNullable<Json>" : "Json"),
    graphql: "JSON",
  },
  blocks: { builder: "json", schema: "blocks()", document: "Blocks", graphql: "JSON" },
};
