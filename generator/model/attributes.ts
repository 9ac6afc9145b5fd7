/** Converts attributes of schema files to attributes of the model. */
import { leadsToMany } from "../../runtime/schema/field.ts";
import type { AttributeOf } from "../schema/attribute-shapes.ts";
import { nameEnum } from "./enums.ts";
import type {
  Attribute,
  ColumnStorage,
  InverseStorage,
  LinkStorage,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from "./model.ts";
import { derivedEnumName, pascalCase, snakeCase } from "./names.ts";
import { MEDIA_KINDS, type PreparedAttribute, type RelationSchema, type ScalarSchema } from "./prepared.ts";
import type { Side } from "./relations.ts";
import type { TypeStorage } from "./storage.ts";

/** What an attribute needs to know about its content type or component. */
export interface AttributeOwner {
  readonly graphql: string;
  readonly attributes: ReadonlyMap<string, PreparedAttribute>;
  readonly localized: boolean;
  /** Names in `options.privateAttributes`. */
  readonly hidden: readonly string[];
  readonly sideOf: (attribute: string) => Side | undefined;
  /** Undefined for a component, whose values are JSON in the row of the containing version. */
  readonly storage: TypeStorage | undefined;
}

/** Relations always differ between locales, whatever the schema says, and so do uids. */
const isLocalized = ({ type, pluginOptions }: PreparedAttribute): boolean =>
  type === "uid" || (type !== "relation" && pluginOptions?.i18n?.localized === true);

const common = (name: string, schema: PreparedAttribute, owner: AttributeOwner) => ({
  name,
  renamedFrom: schema.renamedFrom,
  convert: schema.convert,
  required: schema.required === true,
  private: schema.private === true || owner.hidden.includes(name),
  localized: owner.localized && isLocalized(schema),
  writable: schema.writable !== false,
  searchable: schema.searchable !== false && schema.search !== false,
  condition: schema.conditions?.visible,
});

/** Options of some scalar types only; undefined for others. */
type ScalarOptions = Pick<ScalarSchema, "type"> &
  Partial<
    Pick<AttributeOf<"uid">, "minLength" | "maxLength" | "regex" | "targetField"> &
      Pick<AttributeOf<"integer">, "min" | "max"> &
      Pick<AttributeOf<"enumeration">, "enum" | "enumName" | "renamedValues">
  >;

/** A bound as a number, except for a biginteger's digits in a text, which may exceed a number's range. */
const bound = (type: string, value: number | string | undefined): number | string | undefined => {
  if (value === undefined) return undefined;
  return type === "biginteger" ? value : Number(value);
};

const buildScalar = (name: string, schema: ScalarSchema, owner: AttributeOwner): ScalarAttribute => {
  const options: ScalarOptions = schema;
  const values = options.enum && [...new Set(options.enum)];
  const enumType = options.enumName ?? derivedEnumName(owner.graphql, name);
  const target = options.targetField;
  return {
    kind: "scalar",
    ...common(name, schema, owner),
    type: schema.type,
    column: owner.storage?.column(name) ?? snakeCase(name),
    unique: schema.unique === true,
    default: schema.default,
    minLength: options.minLength,
    maxLength: options.maxLength,
    min: bound(schema.type, options.min),
    max: bound(schema.type, options.max),
    regex: options.regex,
    enum: values,
    enumName: options.enumName,
    renamedValues: options.renamedValues,
    graphqlEnum: values && nameEnum(enumType, values).graphql,
    targetField: target !== undefined && owner.attributes.has(target) ? target : undefined,
  };
};

type MediaSchema = Extract<PreparedAttribute, { type: "media" }>;

/** The existing kinds; undefined allows every kind. */
const allowed = (types: readonly string[] | undefined): readonly string[] | undefined => {
  const kinds = types?.filter((type) => MEDIA_KINDS.includes(type));
  return kinds && kinds.length > 0 ? kinds : undefined;
};

const buildMedia = (name: string, schema: MediaSchema, owner: AttributeOwner): MediaAttribute => ({
  kind: "media",
  ...common(name, schema, owner),
  multiple: schema.multiple === true,
  allowedTypes: allowed(schema.allowedTypes),
  searched: schema.search === true && schema.searchable !== false,
  storage:
    schema.multiple === true
      ? owner.storage?.link(name, false)
      : owner.storage?.reference(name, { position: false, type: false }),
});

const relationStorage = (
  name: string,
  { relation }: RelationSchema,
  { sideOf, storage }: AttributeOwner,
): ColumnStorage | LinkStorage | InverseStorage | undefined => {
  const side = sideOf(name);
  if (!storage || !side) return undefined;
  if (side.role === "inverse") return { kind: "inverse", by: side.by };
  return leadsToMany(relation)
    ? storage.link(name, side.inverseMany)
    : storage.reference(name, { position: side.inverseMany, type: relation === "morphToOne" });
};

const buildRelation = (name: string, schema: RelationSchema, owner: AttributeOwner): RelationAttribute => {
  const side = owner.sideOf(name);
  const morph = schema.relation === "morphToOne" || schema.relation === "morphToMany";
  return {
    kind: "relation",
    ...common(name, schema, owner),
    // The many documents of a list point back to one, whatever the schema calls it.
    relation:
      schema.relation === "oneToOne" && side?.role === "owner" && side.inverseMany ? "manyToOne" : schema.relation,
    target: morph ? undefined : schema.target,
    many: leadsToMany(schema.relation),
    graphqlUnion: morph ? `${owner.graphql}${pascalCase(name)}Morph` : undefined,
    storage: relationStorage(name, schema, owner),
    inverse: side?.role === "inverse" ? side.by : side?.inverse,
  };
};

/** Builds the attribute `name` of `owner`. */
export const buildAttribute = (name: string, owner: AttributeOwner): Attribute => {
  const schema = owner.attributes.get(name);
  if (!schema) throw new Error(`there is no attribute ${name}`);
  const stored = (index = false) => ({ column: owner.storage?.column(name) ?? snakeCase(name), index });
  switch (schema.type) {
    case "relation":
      return buildRelation(name, schema, owner);
    case "media":
      return buildMedia(name, schema, owner);
    case "component": {
      const { type: kind, component, repeatable = false, min, max, index } = schema;
      return { kind, ...common(name, schema, owner), component, repeatable, min, max, ...stored(index) };
    }
    case "dynamiczone": {
      const { type: kind, min, max, index } = schema;
      const graphqlUnion = `${owner.graphql}${pascalCase(name)}DynamicZone`;
      const components = [...new Set(schema.components)];
      return { kind, ...common(name, schema, owner), components, graphqlUnion, min, max, ...stored(index) };
    }
    default:
      return buildScalar(name, schema, owner);
  }
};
