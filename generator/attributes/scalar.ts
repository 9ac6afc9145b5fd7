/** Attributes with one plain value: text, numbers, dates, booleans. */
import type { ScalarAttribute } from "../model/model.ts";
import { descriptorFlags, scalarMember, validatorOptions } from "./common.ts";
import { type AttributeEntry, modules } from "./entry.ts";
import { array, call, callWith, code, type Expression, flag, number, object, optional, text } from "./expression.ts";
import { enumType, exposed, exposedAs } from "./graphql.ts";
import { property, stringLiteral } from "./literal.ts";

type Options = readonly (readonly [string, Expression | undefined])[];

interface ScalarType {
  /** Drizzle's builder, and its options. */
  readonly column: readonly [builder: string, ...options: readonly Expression[]];
  /** The builder in `galley-cms/validators`. */
  readonly validator: string;
  /** The options that only this type knows. */
  readonly limits?: (attribute: ScalarAttribute) => Options;
  /** Arguments of the validator that stand before the options. */
  readonly values?: (attribute: ScalarAttribute) => readonly Expression[];
  /** The scalar of GraphQL; enumerations have types of their own. */
  readonly graphql: string;
  /** The type on the wire, as a union. */
  readonly document: (attribute: ScalarAttribute) => readonly string[];
  /** Unique whatever the schema says. */
  readonly unique?: true;
  /** Values may be longer than an index entry can be. */
  readonly long?: true;
  /** Never in an answer. */
  readonly secret?: true;
}

const lengths = ({ minLength, maxLength }: ScalarAttribute): Options => [
  ["minLength", optional(minLength)],
  ["maxLength", optional(maxLength)],
];
const pattern = (attribute: ScalarAttribute): Options => [...lengths(attribute), ["regex", optional(attribute.regex)]];
const range = ({ min, max }: ScalarAttribute): Options => [
  ["min", optional(min)],
  ["max", optional(max)],
];

const asText = () => ["string"];
const asNumber = () => ["number"];
const varchar = ["varchar", object([["length", number(255)]])] as const;
const instant = [
  "timestamp",
  object([
    ["precision", number(3)],
    ["mode", text("string")],
  ]),
] as const;

/** One entry for each type of `contract`'s scalar attributes; `structured.ts` has the ones that hold JSON. */
const types: Readonly<Record<string, ScalarType>> = {
  string: { column: varchar, validator: "string", graphql: "String", limits: pattern, document: asText },
  text: { column: ["text"], validator: "text", graphql: "String", limits: pattern, document: asText, long: true },
  richtext: {
    column: ["text"],
    validator: "richtext",
    graphql: "String",
    limits: pattern,
    document: asText,
    long: true,
  },
  email: { column: varchar, validator: "email", graphql: "String", limits: pattern, document: asText },
  password: {
    column: varchar,
    validator: "password",
    graphql: "String",
    limits: pattern,
    document: asText,
    secret: true,
  },
  uid: { column: varchar, validator: "uid", graphql: "String", limits: pattern, document: asText, unique: true },
  enumeration: {
    column: ["text"],
    validator: "enumeration",
    graphql: "String",
    values: (attribute) => [array((attribute.enum ?? []).map(text))],
    document: (attribute) => (attribute.enum ?? []).map(stringLiteral),
  },
  integer: { column: ["integer"], validator: "integer", graphql: "Int", limits: range, document: asNumber },
  biginteger: {
    column: ["bigint", object([["mode", text("bigint")]])],
    validator: "biginteger",
    graphql: "Long",
    limits: range,
    document: asText,
  },
  float: { column: ["doublePrecision"], validator: "float", graphql: "Float", limits: range, document: asNumber },
  decimal: {
    column: [
      "numeric",
      object([
        ["precision", number(10)],
        ["scale", number(2)],
      ]),
    ],
    validator: "decimal",
    graphql: "Float",
    limits: range,
    document: asNumber,
  },
  date: { column: ["date", object([["mode", text("string")]])], validator: "date", graphql: "Date", document: asText },
  time: { column: ["time", object([["precision", number(3)]])], validator: "time", graphql: "Time", document: asText },
  datetime: { column: instant, validator: "datetime", graphql: "DateTime", document: asText },
  timestamp: { column: instant, validator: "timestamp", graphql: "DateTime", document: asText },
  boolean: { column: ["boolean"], validator: "boolean", graphql: "Boolean", document: () => ["boolean"] },
};

const typeOf = ({ type }: ScalarAttribute): ScalarType => {
  const found = types[type];
  if (found === undefined) throw new Error(`no catalogue entry for the attribute type "${type}"`);
  return found;
};

/** The part of a scalar's descriptor that does not depend on where it is stored. */
export const scalarDescriptor = (attribute: ScalarAttribute, column: Expression | undefined): Expression =>
  object([
    ["type", text(attribute.type)],
    ["column", column],
    ...descriptorFlags(attribute),
    ["unique", flag(attribute.unique)],
    ["searchable", attribute.searchable ? undefined : code("false")],
    ["enum", attribute.enum && array(attribute.enum.map(text))],
    ["enumName", optional(attribute.enumName)],
    ["targetField", optional(attribute.targetField)],
  ]);

export const scalar: AttributeEntry<ScalarAttribute> = {
  columns: (attribute, scope) => {
    const [builder, ...options] = typeOf(attribute).column;
    return [[attribute.name, call(scope.value(modules.pgCore, builder), text(attribute.column), ...options)]];
  },
  indexes: (attribute) => {
    const { unique, long } = typeOf(attribute);
    if (!attribute.unique && !unique) return [];
    const key = attribute.name;
    return long
      ? [{ key, purpose: "unique" }]
      : [
          { key, purpose: "lookup" },
          { key, purpose: "unique" },
        ];
  },
  descriptor: (attribute, owner) => scalarDescriptor(attribute, owner && code(property(owner.table, attribute.name))),
  validator: (attribute, scope) => {
    const { validator, values, limits } = typeOf(attribute);
    const options = object([
      ...validatorOptions(attribute),
      ["default", optional(attribute.default)],
      ["unique", flag(attribute.unique)],
      ...(limits?.(attribute) ?? []),
    ]);
    return callWith(scope.value(modules.validators, validator), values?.(attribute) ?? [], options);
  },
  document: (attribute) => {
    const { document, secret } = typeOf(attribute);
    const member = scalarMember(attribute, document(attribute));
    return secret ? { ...member, optional: true } : member;
  },
  graphql: (attribute, scope) =>
    attribute.graphqlEnum
      ? exposedAs(attribute, enumType(attribute.graphqlEnum, scope))
      : exposed(attribute, typeOf(attribute).graphql),
};
