/** The shape of each attribute type in a schema file: its own options, and those that all types share. */
import { z } from "zod";
import type { ScalarType } from "../../runtime/base/scalar-form.ts";
import { relationKinds } from "../../runtime/schema/field.ts";
import { attributePanel } from "./panel-shapes.ts";

const flag = z.boolean().optional();
const text = z.string().optional();
const length = z.int().min(0).optional();
const bound = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/, "expected a number")]).optional();
const names = z.array(z.string());

/** Settings of plugins; only those of i18n have an effect here. */
const plugins = z.looseObject({ i18n: z.looseObject({ localized: z.boolean().optional() }).optional() });

/** Those of a content type or component. */
export const pluginOptions = plugins.optional();

/** Options that every attribute may have. Options for an admin interface are accepted and have no effect. */
const common = {
  required: flag,
  private: flag,
  writable: flag,
  visible: flag,
  searchable: flag,
  search: flag,
  configurable: flag,
  pluginOptions: plugins.extend({ panel: attributePanel.optional() }).optional(),
  conditions: z.looseObject({ visible: z.record(z.string(), z.json()).optional() }).optional(),
  customField: text,
  options: z.unknown().optional(),
  column: z.unknown().optional(),
  displayName: text,
  description: text,
  renamedFrom: text,
  /** An SQL expression that computes the new type's values from the old column, for a migration. */
  convert: text,
};

const scalar = { ...common, default: z.json().optional(), unique: flag };
const written = { ...scalar, minLength: length, maxLength: length };
const matched = { ...written, regex: text };
const number = { ...scalar, min: bound, max: bound };
const several = { ...common, min: z.int().min(0).optional(), max: z.int().min(0).optional() };
/** `index`: whether an index answers filters on the entries. */
const entries = { ...several, index: flag };

const shape = <Type extends string, Options extends z.core.$ZodShape>(type: Type, options: Options) =>
  z.object({ type: z.literal(type), ...options });

export const attributeShapes = {
  string: shape("string", matched),
  text: shape("text", matched),
  richtext: shape("richtext", matched),
  email: shape("email", matched),
  password: shape("password", matched),
  uid: shape("uid", { ...matched, targetField: text }),
  enumeration: shape("enumeration", {
    ...scalar,
    enum: names,
    enumName: text,
    renamedValues: z.record(z.string(), z.string()).optional(),
  }),
  integer: shape("integer", number),
  biginteger: shape("biginteger", number),
  float: shape("float", number),
  decimal: shape("decimal", number),
  date: shape("date", scalar),
  time: shape("time", scalar),
  datetime: shape("datetime", scalar),
  timestamp: shape("timestamp", scalar),
  boolean: shape("boolean", scalar),
  json: shape("json", scalar),
  blocks: shape("blocks", scalar),
  media: shape("media", { ...several, multiple: flag, allowedTypes: names.optional() }),
  component: shape("component", { ...entries, component: z.string(), repeatable: flag }),
  dynamiczone: shape("dynamiczone", { ...entries, components: names }),
  relation: shape("relation", {
    ...common,
    unique: flag,
    relation: z.enum(relationKinds),
    target: text,
    inversedBy: text,
    mappedBy: text,
    morphBy: text,
    useJoinTable: flag,
  }),
  customField: shape("customField", { ...matched, min: bound, max: bound, customField: z.string() }),
} satisfies Readonly<
  Record<ScalarType | "media" | "component" | "dynamiczone" | "relation" | "customField", z.ZodType>
>;

export type AttributeType = keyof typeof attributeShapes;
export type AttributeSchema = { [Type in AttributeType]: z.infer<(typeof attributeShapes)[Type]> }[AttributeType];
export type AttributeOf<Type extends AttributeType> = Extract<AttributeSchema, { type: Type }>;

export const isAttributeType = (type: string): type is AttributeType => Object.hasOwn(attributeShapes, type);
