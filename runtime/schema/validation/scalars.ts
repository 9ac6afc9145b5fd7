/** Builders of enumerations, booleans, dates and times. */
import { z } from "zod";
import type { AttributeOptions, AttributeValidator } from "./attribute.ts";
import { attribute, present } from "./base.ts";
import { castBoolean, castEnumeration } from "./casting.ts";

/** One of `values`. */
export const enumeration = (values: readonly string[], options: AttributeOptions = {}): AttributeValidator => {
  const schema = z.enum(values);
  return attribute(options, { full: schema, lenient: schema, cast: castEnumeration });
};

/** A truth value; texts and numbers that mean one are taken for it. */
export const boolean = (options: AttributeOptions = {}): AttributeValidator =>
  attribute(options, { full: z.boolean(), lenient: z.boolean(), cast: castBoolean });

/** Dates and times are read when they are stored; here they are only there or not. */
const temporal =
  (format: string, type: "string" | "integer" = "string") =>
  (options: AttributeOptions = {}): AttributeValidator => {
    const schema = present(z.unknown().meta({ type, format }));
    return attribute(options, { full: schema, lenient: schema });
  };

/** A day, such as `2024-05-01`. */
export const date = temporal("date");
/** A time of day with seconds, such as `12:30:00`. */
export const time = temporal("time");
/** An instant, as ISO 8601 text or milliseconds since 1970. */
export const datetime = temporal("date-time");
/** An instant too; answers show it as the milliseconds since 1970, in a text. */
export const timestamp = temporal("date-time");
