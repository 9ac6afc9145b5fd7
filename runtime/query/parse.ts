/** Parses query strings, within the limits of the wire format. */
import qs from "qs";
import { ValidationError } from "../base/errors.ts";

/** Most parameters of a query string. The parser would silently drop any further ones, which might include a filter. */
const PARAMETERS = 1000;

/** The default of the wire format. */
const ARRAY_LIMIT = 100;

const OPTIONS = {
  strictNullHandling: true,
  parameterLimit: PARAMETERS,
  depth: 20,
  // Names of Object.prototype are kept, so that the check refuses them as unknown and they are not silently dropped.
  plainObjects: true,
} as const;

/**
 * Parses the query string after the `?`. Every leaf is a string or null. A list with more than `arrayLimit` entries
 * becomes an object with indexes as keys, as in the wire format.
 *
 * Refuses a `__proto__` key and more than 1000 parameters (400), which the parser would silently drop.
 */
export const parseQuery = (text: string, arrayLimit = ARRAY_LIMIT): Readonly<Record<string, unknown>> => {
  if (text === "") return {};
  if (text.split("&", PARAMETERS + 1).length > PARAMETERS) {
    throw new ValidationError(`Invalid query. It may have ${PARAMETERS} parameters`);
  }
  if (/(?:^|[&[]|%5B)__proto__(?:[\]=&[]|%5D|%5B|$)/i.test(text)) {
    throw new ValidationError("Invalid key __proto__", { key: "__proto__", path: null, source: "query" });
  }
  return qs.parse(text, { ...OPTIONS, arrayLimit });
};
