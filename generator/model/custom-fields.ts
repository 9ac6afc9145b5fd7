/** Custom fields: attributes whose base type their plugin determines. */
import { type CustomFieldType, customFieldsConfig } from "../../runtime/config/custom-fields.ts";
import fields from "./custom-fields.json" with { type: "json" };

/** Base types by uid, as in the configuration's `customFields`. */
export type CustomFieldTypes = Readonly<Record<string, CustomFieldType>>;

/** The base types that well-known plugins register. */
const known: ReadonlyMap<string, CustomFieldType> = new Map(Object.entries(customFieldsConfig.parse(fields)));

/** The attribute type that stores a custom field; undefined if unknown. */
export const baseTypeOf = (customField: string, configured: CustomFieldTypes): CustomFieldType | undefined =>
  (Object.hasOwn(configured, customField) ? configured[customField] : undefined) ?? known.get(customField);
