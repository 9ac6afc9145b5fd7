/** Attributes with a single value: text, numbers, dates, booleans, JSON. */
import { parseJson } from "../base/json.ts";
import { isNow } from "../model/defaults.ts";
import type { ScalarAttribute } from "../model/model.ts";
import { explodingPart } from "../model/regex-cost.ts";
import { commonView, limit, type ModelIndex } from "./common.ts";
import { stringLiteral, valueLiteral } from "./literal.ts";
import { type ScalarCode, scalarTypes } from "./scalar-types.ts";

/** Scalars with a Pothos shorthand. */
const EXPOSED: ReadonlySet<string> = new Set(["String", "Boolean", "Int", "Float"]);

const made = (code: string | ((attribute: ScalarAttribute) => string), attribute: ScalarAttribute): string =>
  typeof code === "string" ? code : code(attribute);

/** Limits given as digits in a text are not enforced, as the wire contract requires. */
const numeric = (bound: number | string | undefined): number | undefined =>
  typeof bound === "number" ? bound : undefined;

const boundsOf = (attribute: ScalarAttribute, { limits, longest = Infinity }: ScalarCode) => {
  if (limits === "range") return { min: limit(numeric(attribute.min)), max: limit(numeric(attribute.max)) };
  if (limits === undefined) return { min: "", max: "" };
  const most = Math.min(attribute.maxLength ?? Infinity, longest);
  return { min: limit(attribute.minLength), max: limit(most === Infinity ? undefined : most) };
};

/** Null is not a value: a required attribute with that default has none. */
const standardOf = ({ type, default: standard, required }: ScalarAttribute): string => {
  if (standard === undefined || (standard === null && required)) return "";
  // A text in place of JSON is parsed as JSON, as in a request body.
  const json = type === "json" && typeof standard === "string" ? parseJson(standard) : undefined;
  if (json !== undefined) return valueLiteral(json);
  return isNow(type, standard) ? "now" : valueLiteral(standard);
};

const enumView = ({ graphqlEnum }: ScalarAttribute, index: ModelIndex) => {
  if (graphqlEnum === undefined) return false;
  const { name, members } = graphqlEnum;
  return {
    name: stringLiteral(name),
    /** Whether other attributes share it. */
    shared: index.isSharedEnum(name),
    /** `value` is "" if it equals the name. */
    members: members.map(({ name, value }) => ({ name, value: name === value ? "" : stringLiteral(value) })),
  };
};

const indexesOf = ({ unique: declared }: ScalarAttribute, { unique: always, long }: ScalarCode) => ({
  lookupIndex: (declared || always === true) && long !== true,
  uniqueIndex: declared || always === true,
});

export const scalarView = (attribute: ScalarAttribute, index: ModelIndex) => {
  const { type, column, unique, regex, required, minLength = 0 } = attribute;
  const code = scalarTypes[type];
  const { builder, columnOptions = "", schema, document, graphql, secret = false } = code;
  const graphqlEnum = enumView(attribute, index);
  return {
    kind: "scalar" as const,
    ...commonView(attribute, { absent: "nullish", default: standardOf(attribute), secret }),
    /** The attribute type as a string: `"uid"`. */
    type: stringLiteral(type),
    /** The column's name, its Drizzle builder, and the builder's arguments. */
    column: stringLiteral(column),
    builder,
    columnOptions,
    ...indexesOf(attribute, code),
    unique,
    /** In no answer, for any client. */
    secret,
    /** The Zod schema for any value of the type. */
    schema: made(schema, attribute),
    ...boundsOf(attribute, code),
    regex: regex === undefined ? "" : stringLiteral(regex),
    /** Whether matching it may take exponential time. */
    slow: regex !== undefined && explodingPart(regex) !== undefined,
    /** Whether "" is accepted although it does not match. */
    orEmpty: regex !== undefined && !required && minLength === 0,
    /** The type of the value in an answer. */
    document: made(document, attribute),
    /** The Pothos shorthand for the field, such as `exposeString`; "" if the type must be named. */
    expose: !graphqlEnum && EXPOSED.has(graphql) ? `expose${graphql}` : "",
    /** The GraphQL scalar. */
    graphql: stringLiteral(graphql),
    graphqlEnum,
  };
};
