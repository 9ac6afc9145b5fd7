/** Query strings, with the limits of the wire format. */
import qs from "qs";
import { ValidationError } from "../base/errors.ts";

/** What a parser reads at most; it would leave out the rest unseen, and with it a filter. */
const PARAMETERS = 1000;

/** What the wire format has. */
const ARRAY_LIMIT = 100;

const OPTIONS = {
  strictNullHandling: true,
  parameterLimit: PARAMETERS,
  depth: 20,
  // Names of Object.prototype stay visible, so that they are refused as unknown instead of dropped unseen.
  plainObjects: true,
} as const;

/**
 * Parses what follows the `?`. Every leaf is text or null; a list of more than `arrayLimit` entries is an object with
 * their positions as keys, as in the wire format.
 *
 * A `__proto__` key is refused (400), and so are more than 1000 parameters: the parser would drop them.
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
