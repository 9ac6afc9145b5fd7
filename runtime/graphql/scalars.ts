/**
 * The scalars of both formats. graphql-scalars checks input, which is passed on as the text or value that the document
 * service takes. Output is written as the read engine shaped it, without further checks.
 */
import { GraphQLScalarType, Kind, specifiedScalarTypes, type ValueNode, valueFromASTUntyped } from "graphql";
import { GraphQLBigInt, GraphQLDate, GraphQLDateTime, GraphQLJSON } from "graphql-scalars";

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The functions of built-in scalars, whose results depend on nothing but the value. */
const known = new WeakSet<object>();

const own = (type: GraphQLScalarType): GraphQLScalarType => {
  for (const work of [type.serialize, type.parseValue, type.parseLiteral]) known.add(work);
  return type;
};

specifiedScalarTypes.forEach(own);

/** Whether a scalar is one of GraphQL's or one of those below, with no function replaced by the application. */
export const isOwnScalar = ({ serialize, parseValue, parseLiteral }: GraphQLScalarType): boolean =>
  [serialize, parseValue, parseLiteral].every((work) => known.has(work));

/** A scalar with the checks of `checks`, under another name, that converts parsed values for the document service. */
const checkedBy = (
  name: string,
  checks: GraphQLScalarType,
  adopt: (parsed: unknown) => unknown,
  serialize: (value: unknown) => unknown,
): GraphQLScalarType =>
  own(
    new GraphQLScalarType({
      name,
      description: checks.description,
      serialize,
      parseValue: (value) => adopt(checks.parseValue(value)),
      parseLiteral: (node, variables) => adopt(checks.parseLiteral(node, variables)),
    }),
  );

const asIs = (value: unknown): unknown => value;
const toIso = (parsed: unknown): unknown => (parsed instanceof Date ? parsed.toISOString() : parsed);
const toDay = (parsed: unknown): unknown => (parsed instanceof Date ? parsed.toISOString().slice(0, 10) : parsed);

const toDigits = (parsed: unknown): string => {
  const number = BigInt(String(parsed));
  if (number < LONG_MIN || number > LONG_MAX) throw new Error("Long cannot represent more than 64 bits");
  return number.toString();
};

/** A JSON number if that is exact, otherwise text. */
const exactNumber = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

/** `HH:mm:ss.SSS`; adds missing milliseconds. */
const fullTime = (value: unknown): string => {
  const [whole, fraction = ""] = String(value).split(".");
  return `${whole}.${fraction.padEnd(3, "0")}`;
};

const parseTime = (value: unknown): string => {
  if (typeof value !== "string") throw new Error("Time cannot represent non string type");
  if (!CLOCK.test(value)) throw new Error("Invalid time format, expected HH:mm:ss.SSS");
  return fullTime(value);
};

/** Attributes of type `timestamp` are stored and read as milliseconds, but all instants are answered alike. */
const toInstant = (value: unknown): unknown =>
  typeof value === "string" && /^-?\d+$/.test(value) ? new Date(Number(value)).toISOString() : value;

const stringIn = (node: ValueNode): unknown => (node.kind === Kind.STRING ? node.value : undefined);

/** The scalars that attributes map to. */
export const scalars = {
  JSON: checkedBy("JSON", GraphQLJSON, asIs, asIs),
  Date: checkedBy("Date", GraphQLDate, toDay, asIs),
  DateTime: checkedBy("DateTime", GraphQLDateTime, toIso, toInstant),
  Long: checkedBy("Long", GraphQLBigInt, toDigits, exactNumber),
  Time: own(
    new GraphQLScalarType({
      name: "Time",
      description: "A time string with format HH:mm:ss.SSS",
      serialize: fullTime,
      parseValue: parseTime,
      parseLiteral: (node) => parseTime(stringIn(node)),
    }),
  ),
} as const;

/** Whether the text is a language tag with a known language: `en`, `pt-BR`; not `zz`. */
const isLanguageTag = (text: string): boolean => {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)) return false;
  const language = text.split("-")[0] ?? "";
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  return names.of(language.toLowerCase()) !== undefined;
};

/**
 * The locale argument. A literal must be a valid locale code, or the word for all locales.
 * A variable is not checked here: an unknown locale finds nothing.
 */
export const localeCode = (everyLocale: string): GraphQLScalarType =>
  own(
    new GraphQLScalarType({
      name: "I18NLocaleCode",
      description: "A string used to identify an i18n locale",
      parseValue: asIs,
      parseLiteral: (node) => {
        const text = stringIn(node);
        if (typeof text !== "string" || (text !== everyLocale && !isLanguageTag(text))) {
          throw new Error("Unknown locale supplied");
        }
        return text;
      },
    }),
  );

/**
 * The input of a dynamic zone: objects whose `__typename` is the GraphQL name of one of its components.
 * The parsed value names the component by its uid, as bodies of the REST API do.
 */
export const zoneInput = (name: string, uidByTypename: ReadonlyMap<string, string>): GraphQLScalarType => {
  const adopt = (value: unknown): unknown => {
    const given: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
    const { __typename: typename, ...entry } = given;
    const uid = typeof typename === "string" ? uidByTypename.get(typename) : undefined;
    if (uid === undefined) {
      throw new Error(`Component not found. expected one of: ${[...uidByTypename.keys()].join(", ")}`);
    }
    return { ...entry, __component: uid };
  };
  return new GraphQLScalarType({
    name,
    parseValue: adopt,
    parseLiteral: (node, variables) => adopt(valueFromASTUntyped(node, variables)),
  });
};
