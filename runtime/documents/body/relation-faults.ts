/** Faults of the relations in a body, and how their error details show the document. */
import { isRecord } from "../../base/is-record.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import { attributesOf } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { componentUid } from "./parse.ts";

/** The data of a new document with its defaults added. */
export const withDefaults = (
  type: ContentType,
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const complete: Record<string, unknown> = { ...data };
  for (const [name, attribute] of attributesOf(type)) {
    if (Object.hasOwn(data, name)) continue;
    const standard = membersOf(schema).get(name)?.default;
    const isList = attribute.type === "dynamiczone" || (attribute.type === "component" && attribute.repeatable);
    if (standard !== undefined) complete[name] = standard;
    else if (isList) complete[name] = [];
  }
  return complete;
};

/** A fault in the relations of a document as a whole; `shown` is the document as far as it was parsed. */
export const relationFault = (message: string, shown: Readonly<Record<string, unknown>>): FieldError => ({
  path: [],
  message,
  name: "ValidationError",
  value: shown,
});

/** The fault for zone entries of unknown components, whose relations therefore cannot be determined. */
export const zoneFault = (
  services: WriteServices,
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, attribute] of attributesOf(type)) {
    const value = data[name];
    if (attribute.type !== "dynamiczone" || value === undefined || value === null) continue;
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null) return "Invalid relations";
      if (!isRecord(entry) || entry["__component"] === undefined) {
        return "Cannot build relations store from dynamiczone, component identifier is undefined";
      }
      if (componentUid(services, entry) === undefined) return "Invalid relations";
    }
  }
  return undefined;
};
