/** Builders of enumerations, booleans, dates and times. */
import { z } from "zod";
import type { AttributeOptions, AttributeValidator } from "./attribute.ts";
import { attribute, present } from "./base.ts";
import { castBoolean, castEnumeration } from "./casting.ts";

export const enumeration = (values: readonly string[], options: AttributeOptions = {}): AttributeValidator => {
  const schema = z.enum(values);
  return attribute(options, { full: schema, lenient: schema, cast: castEnumeration });
};

export const boolean = (options: AttributeOptions = {}): AttributeValidator =>
  attribute(options, { full: z.boolean(), lenient: z.boolean(), cast: castBoolean });

/** Dates and times are read when they are stored; here they are only there or not. */
const temporal =
  (format: string, type: "string" | "integer" = "string") =>
  (options: AttributeOptions = {}): AttributeValidator => {
    const schema = present(z.unknown().meta({ type, format }));
    return attribute(options, { full: schema, lenient: schema });
  };

export const date = temporal("date");
export const time = temporal("time");
export const datetime = temporal("date-time");
export const timestamp = temporal("date-time");
