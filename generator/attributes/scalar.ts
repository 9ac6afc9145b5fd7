/** Attributes with one plain value: text, numbers, dates, booleans. */
import { isNow } from "../model/defaults.ts";
import type { ScalarAttribute } from "../model/model.ts";
import { descriptorFlags, limited, modified, scalarMember, secret, standard, zod } from "./common.ts";
import { type AttributeEntry, modules, type Scope } from "./entry.ts";
import {
  array,
  call,
  callWith,
  type CallExpression,
  type ChainExpression,
  code,
  type CodeExpression,
  type Expression,
  flag,
  number,
  object,
  optional,
  text,
  chained,
} from "./expression.ts";
import { enumType, exposed, exposedAs } from "./graphql.ts";
import { property, stringLiteral } from "./literal.ts";

type Schema = CallExpression | ChainExpression | CodeExpression;

interface ScalarType {
  /** Drizzle's builder, and its options. */
  readonly column: readonly [builder: string, ...options: readonly Expression[]];
  /** The Zod schema of a value that is there. */
  readonly schema: (attribute: ScalarAttribute, scope: Scope) => Schema;
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

/** What a `varchar` column takes. */
const VARCHAR = 255;

/** Lengths and pattern of a text; an optional one may be empty, whatever its pattern. */
const matched = (schema: Schema, attribute: ScalarAttribute, longest: number, scope: Scope): Schema => {
  const { minLength, maxLength, regex, required } = attribute;
  const most = Math.min(maxLength ?? Infinity, longest);
  const lengths = limited(schema, [
    ["min", minLength],
    ["max", most === Infinity ? undefined : most],
  ]);
  if (regex === undefined) return lengths;
  const pattern = chained(lengths, "regex", call("new RegExp", text(regex)));
  return required || (minLength ?? 0) > 0 ? pattern : chained(pattern, "or", zod(scope, "literal", text("")));
};

const short = (attribute: ScalarAttribute, scope: Scope) => matched(zod(scope, "string"), attribute, VARCHAR, scope);
const long = (attribute: ScalarAttribute, scope: Scope) => matched(zod(scope, "string"), attribute, Infinity, scope);

/** A pattern of its own takes the place of the usual one. */
const slug = (attribute: ScalarAttribute, scope: Scope): Schema =>
  attribute.regex === undefined
    ? matched(call(scope.value(modules.validators, "slug")), attribute, VARCHAR, scope)
    : short(attribute, scope);

/** A helper of ours, for what Zod has no word for or another rule. */
const helper = (name: string) => (_: ScalarAttribute, scope: Scope) => call(scope.value(modules.validators, name));

const ranged =
  (make: (attribute: ScalarAttribute, scope: Scope) => Schema) =>
  (attribute: ScalarAttribute, scope: Scope): Schema =>
    limited(make(attribute, scope), bounds(attribute));

const biginteger = (attribute: ScalarAttribute, scope: Scope): Schema =>
  callWith(
    scope.value(modules.validators, "biginteger"),
    [],
    object(bounds(attribute).map(([name, limit]) => [name, optional(limit)])),
  );

const bounds = ({ min, max }: ScalarAttribute) =>
  [
    ["min", numeric(min)],
    ["max", numeric(max)],
  ] as const;

/** Limits given as digits in text are not enforced, as the wire contract has it. */
const numeric = (limit: number | string | undefined): number | undefined =>
  typeof limit === "number" ? limit : undefined;

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
  string: { column: varchar, schema: short, graphql: "String", document: asText },
  text: { column: ["text"], schema: long, graphql: "String", document: asText, long: true },
  richtext: {
    column: ["text"],
    schema: long,
    graphql: "String",
    document: asText,
    long: true,
  },
  email: {
    column: varchar,
    schema: (attribute, scope) => matched(call(scope.value(modules.validators, "email")), attribute, VARCHAR, scope),
    graphql: "String",
    document: asText,
  },
  password: {
    column: varchar,
    schema: (attribute, scope) =>
      matched(call(scope.value(modules.validators, "password")), attribute, Infinity, scope),
    graphql: "String",
    document: asText,
    secret: true,
  },
  uid: { column: varchar, schema: slug, graphql: "String", document: asText, unique: true },
  enumeration: {
    column: ["text"],
    schema: (attribute, scope) => zod(scope, "enum", array((attribute.enum ?? []).map(text))),
    graphql: "String",
    document: (attribute) => (attribute.enum ?? []).map(stringLiteral),
  },
  integer: {
    column: ["integer"],
    schema: ranged((_, scope) => zod(scope, "int32")),
    graphql: "Int",
    document: asNumber,
  },
  biginteger: {
    column: ["bigint", object([["mode", text("bigint")]])],
    schema: biginteger,
    graphql: "Long",
    document: asText,
  },
  float: {
    column: ["doublePrecision"],
    schema: ranged((_, scope) => zod(scope, "number")),
    graphql: "Float",
    document: asNumber,
  },
  decimal: {
    column: [
      "numeric",
      object([
        ["precision", number(10)],
        ["scale", number(2)],
      ]),
    ],
    schema: ranged(helper("decimal")),
    graphql: "Float",
    document: asNumber,
  },
  date: {
    column: ["date", object([["mode", text("string")]])],
    schema: helper("date"),
    graphql: "Date",
    document: asText,
  },
  time: {
    column: ["time", object([["precision", number(3)]])],
    schema: helper("time"),
    graphql: "Time",
    document: asText,
  },
  datetime: { column: instant, schema: helper("datetime"), graphql: "DateTime", document: asText },
  timestamp: { column: instant, schema: helper("datetime"), graphql: "DateTime", document: asText },
  boolean: {
    column: ["boolean"],
    schema: (_, scope) => zod(scope, "boolean"),
    graphql: "Boolean",
    document: () => ["boolean"],
  },
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
  ]);

const initial = ({ type, default: value }: ScalarAttribute, scope: Scope): Expression | undefined =>
  isNow(type, value) ? code(scope.value(modules.validators, "now")) : standard(value);

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
  validator: (attribute, scope) =>
    modified(
      attribute,
      typeOf(attribute).schema(attribute, scope),
      { absent: "nullish", default: initial(attribute, scope) },
      scope,
    ),
  document: (attribute, scope) => {
    const { document, secret: isSecret = false } = typeOf(attribute);
    return isSecret ? secret : scalarMember(attribute, document(attribute), scope);
  },
  graphql: (attribute, scope) =>
    attribute.graphqlEnum
      ? exposedAs(attribute, enumType(attribute.graphqlEnum, scope))
      : exposed(attribute, typeOf(attribute).graphql),
};
