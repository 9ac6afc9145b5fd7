/** Query strings, with the limits of the wire format. */
import qs from "qs";
import { ValidationError } from "../base/errors.ts";

const OPTIONS = {
  strictNullHandling: true,
  arrayLimit: 100,
  depth: 20,
  // Names of Object.prototype stay visible, so that they are refused as unknown instead of dropped unseen.
  plainObjects: true,
} as const;

/**
 * Parses what follows the `?`. Every leaf is text or null.
 * A `__proto__` key is refused (400): the parser would drop it, and with it a filter.
 */
export const parseQuery = (text: string): Readonly<Record<string, unknown>> => {
  if (text === "") return {};
  if (/(?:^|[&[]|%5B)__proto__(?:[\]=&[]|%5D|%5B|$)/i.test(text)) {
    throw new ValidationError("Invalid key __proto__", { key: "__proto__", path: null, source: "query" });
  }
  return qs.parse(text, OPTIONS);
};
