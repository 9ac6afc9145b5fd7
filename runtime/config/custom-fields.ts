/** The `customFields` group of the configuration: the types that custom fields of plugins are stored as. */
import { z } from "zod";
import { FORMS, isScalarType, type ScalarType } from "../base/scalar-form.ts";

/** An attribute type as which a custom field can be stored. */
export type CustomFieldType = Exclude<ScalarType, "enumeration">;

const isCustomFieldType = (type: string): type is CustomFieldType => isScalarType(type) && type !== "enumeration";

const types = z.enum(Object.keys(FORMS).filter(isCustomFieldType));

export const customFieldsConfig = z.record(z.string(), types).prefault({});
