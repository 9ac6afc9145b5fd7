/** The `customFields` group of the configuration: what the fields of plugins are kept as. */
import { z } from "zod";

const types = z.enum([
  "string",
  "text",
  "richtext",
  "email",
  "password",
  "uid",
  "integer",
  "biginteger",
  "float",
  "decimal",
  "boolean",
  "date",
  "time",
  "datetime",
  "timestamp",
  "json",
  "blocks",
]);

/** An attribute type that a custom field may be kept as. */
export type CustomFieldType = z.infer<typeof types>;

export const customFieldsConfig = z.record(z.string(), types).prefault({});
