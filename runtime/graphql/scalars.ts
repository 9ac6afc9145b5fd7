/**
 * The scalars of both schemas. Input is checked by graphql-scalars and handed on as the text or value that the document
 * service takes; output is written as the read engine shaped it, without another look.
 */
import { GraphQLScalarType, Kind, specifiedScalarTypes, type ValueNode, valueFromASTUntyped } from "graphql";
import { GraphQLBigInt, GraphQLDate, GraphQLDateTime, GraphQLJSON } from "graphql-scalars";

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The functions of scalars that are not the application's: what they give depends on nothing but the value. */
const known = new WeakSet<object>();

const own = (type: GraphQLScalarType): GraphQLScalarType => {
  for (const work of [type.serialize, type.parseValue, type.parseLiteral]) known.add(work);
  return type;
};

specifiedScalarTypes.forEach(own);

/** Whether a scalar is one of GraphQL's or of those below, none of whose functions the application has replaced. */
export const isOwnScalar = ({ serialize, parseValue, parseLiteral }: GraphQLScalarType): boolean =>
  [serialize, parseValue, parseLiteral].every((work) => known.has(work));

/** The checks of `checks`, under another name, with parsed values turned into what the document service takes. */
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

/** A JSON number while it is exact, text beyond that. */
const exactNumber = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

/** `HH:mm:ss.SSS`, with milliseconds where they are missing. */
const fullTime = (value: unknown): string => {
  const [whole, fraction = ""] = String(value).split(".");
  return `${whole}.${fraction.padEnd(3, "0")}`;
};

const parseTime = (value: unknown): string => {
  if (typeof value !== "string") throw new Error("Time cannot represent non string type");
  if (!CLOCK.test(value)) throw new Error("Invalid time format, expected HH:mm:ss.SSS");
  return fullTime(value);
};

/** Attributes of type `timestamp` are stored and read as milliseconds; all instants are answered alike. */
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

/** Whether the text is a language tag whose language is known: `en`, `pt-BR`; not `zz`. */
const isLanguageTag = (text: string): boolean => {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)) return false;
  const language = text.split("-")[0] ?? "";
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  return names.of(language.toLowerCase()) !== undefined;
};

/**
 * The locale argument. A literal must be a code that can name a locale, or the word for all of them;
 * a variable is not checked here: a locale that nothing is written in finds nothing.
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
 * What comes out names the component by its uid, as bodies of the REST API do.
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
