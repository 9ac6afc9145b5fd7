/** Parses query strings, within the limits of the wire format. */
import qs from "qs";
import { ValidationError } from "../base/errors.ts";
import { textFault } from "../base/text-fault.ts";

/**
 * Maximum number of parameters in a query string. The parser would silently drop any further ones, which might include
 * a filter.
 */
const PARAMETERS = 1000;

/** The default of the wire format. */
const ARRAY_LIMIT = 100;

const OPTIONS = {
  strictNullHandling: true,
  parameterLimit: PARAMETERS,
  depth: 20,
  // Keeps names of Object.prototype, so that the check refuses them as unknown instead of dropping them silently.
  plainObjects: true,
} as const;

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** Why the encoded value of a parameter is not text. Percent signs that encode nothing are literal. */
const faultOf = (value: string): string | undefined => {
  try {
    return textFault(value.replaceAll(ENCODED, decodeURIComponent));
  } catch {
    return "It is not valid UTF-8";
  }
};

const decoded = (name: string): string =>
  name.replaceAll(ENCODED, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());

/**
 * Refuses values that are not text, which the parser would change or leave encoded.
 *
 * @throws ValidationError naming the first one
 */
export const refuseFaults = (text: string, source: "query" | "body"): void => {
  if (!text.includes("%")) return;
  for (const parameter of text.split("&")) {
    const bracket = parameter.indexOf("]=");
    const end = bracket === -1 ? parameter.indexOf("=") : bracket + 1;
    const fault = end === -1 ? undefined : faultOf(parameter.slice(end + 1));
    if (fault === undefined) continue;
    const where = decoded(parameter.slice(0, end));
    const [param = where, ...path] = where.split(/[[\]]+/).filter((name) => name !== "");
    const key = path.at(-1) ?? param;
    throw new ValidationError(`Invalid value at ${where}. ${fault}`, {
      key,
      path: path.join(".") || null,
      source,
      ...(source === "query" ? { param } : {}),
    });
  }
};

/**
 * Parses the query string after the `?`. Every leaf is a string or null. A list with more than `arrayLimit` entries
 * becomes an object with indexes as keys, as in the wire format.
 *
 * Refuses (400) a `__proto__` key and more than 1000 parameters, which the parser would silently drop, and values that
 * are not text.
 */
export const parseQuery = (text: string, arrayLimit = ARRAY_LIMIT): Readonly<Record<string, unknown>> => {
  if (text === "") return {};
  if (text.split("&", PARAMETERS + 1).length > PARAMETERS) {
    throw new ValidationError(`Invalid query. It may have ${PARAMETERS} parameters`);
  }
  if (/(?:^|[&[]|%5B)__proto__(?:[\]=&[]|%5D|%5B|$)/i.test(text)) {
    throw new ValidationError("Invalid key __proto__", { key: "__proto__", path: null, source: "query" });
  }
  refuseFaults(text, "query");
  return qs.parse(text, { ...OPTIONS, arrayLimit });
};
