/** The `customFields` group of the configuration: the types as which fields of plugins are stored. */
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

/** An attribute type as which a custom field can be stored. */
export type CustomFieldType = z.infer<typeof types>;

export const customFieldsConfig = z.record(z.string(), types).prefault({});
