/** What all attribute types have in common. */
import type { Attribute } from "../model/model.ts";
import type { DocumentMember } from "./entry.ts";
import { code, type Expression, flag, optional } from "./expression.ts";

type OptionalMember = readonly [string, Expression | undefined];

/** The flags of a descriptor, those that are set. */
export const descriptorFlags = (attribute: Attribute): readonly OptionalMember[] => [
  ["required", flag(attribute.required)],
  ["private", flag(attribute.private)],
  ["localized", flag(attribute.localized)],
  ["writable", attribute.writable ? undefined : code("false")],
];

/** The options that every validator takes, those that are set. */
export const validatorOptions = (attribute: Attribute): readonly OptionalMember[] => [
  ["required", flag(attribute.required)],
  ["writable", attribute.writable ? undefined : code("false")],
  ["condition", optional(attribute.condition)],
];

/** Always in an answer, unless it is private. */
export const scalarMember = (attribute: Attribute, types: readonly string[]): DocumentMember => ({
  optional: attribute.private,
  union: attribute.required ? types : [...types, "null"],
});

/** In an answer that populates it. */
export const populated = (type: string, many: boolean): DocumentMember => ({
  optional: true,
  union: many ? [`${type}[]`] : [type, "null"],
});
