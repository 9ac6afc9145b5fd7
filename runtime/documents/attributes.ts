/** Distinguishes attributes by how they are stored. */
import { remembering } from "../base/remembering.ts";
import type {
  Attribute,
  ContentType,
  Field,
  FileLinkTable,
  InverseRelation,
  MediaAttribute,
  MorphInverseRelation,
  MorphToManyRelation,
  MorphToOneRelation,
  ScalarAttribute,
  ToManyRelation,
  ToOneRelation,
} from "../schema/content-type.ts";
import { leadsToMany } from "../schema/field.ts";

/** A content type or a component, reduced to its attributes. */
export interface Attributed {
  readonly attributes: Readonly<Record<string, Attribute | Field>>;
}

/** The attributes by name. A descriptor's type knows its attributes exactly; the code here reads any of them. */
const byName = ({ attributes }: ContentType): Readonly<Record<string, Attribute>> => attributes;

/** The attributes with their names, in schema order. */
export const attributesOf = remembering(
  (type: ContentType): readonly (readonly [name: string, attribute: Attribute])[] => Object.entries(byName(type)),
);

export const attributeOf = (type: ContentType, name: string): Attribute | undefined => {
  const attributes = byName(type);
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
};

type FileLink = MediaAttribute & { readonly link: FileLinkTable };

export const isScalar = (attribute: Attribute): attribute is ScalarAttribute =>
  attribute.type !== "relation" && attribute.type !== "media" && !isComponent(attribute);
export const isComponent = <Any extends Attribute | Field>(
  attribute: Any,
): attribute is Extract<Any, { readonly type: "component" | "dynamiczone" }> =>
  attribute.type === "component" || attribute.type === "dynamiczone";
export const isFileLink = (attribute: Attribute): attribute is FileLink =>
  attribute.type === "media" && "link" in attribute;
export const isToOne = (attribute: Attribute): attribute is ToOneRelation =>
  attribute.type === "relation" && "column" in attribute && !("typeColumn" in attribute);
export const isMorphToOne = (attribute: Attribute): attribute is MorphToOneRelation =>
  attribute.type === "relation" && "typeColumn" in attribute;
export const isToMany = (attribute: Attribute): attribute is ToManyRelation =>
  attribute.type === "relation" && "link" in attribute && "target" in attribute;
export const isMorphToMany = (attribute: Attribute): attribute is MorphToManyRelation =>
  attribute.type === "relation" && "link" in attribute && !("target" in attribute);
export const isInverse = (attribute: Attribute): attribute is InverseRelation =>
  attribute.type === "relation" && "mappedBy" in attribute;
export const isMorphInverse = (attribute: Attribute): attribute is MorphInverseRelation =>
  attribute.type === "relation" && "morphBy" in attribute;

/** Whether an attribute holds a list of links. */
export const isMany = (attribute: Attribute | Field): boolean =>
  attribute.type === "media"
    ? attribute.multiple === true
    : attribute.type === "relation" && leadsToMany(attribute.relation);

/**
 * Whether an attribute has the same value in all locales. Relations always differ per locale, whatever the schema says.
 */
export const isCopiedToLocales = (attribute: Attribute): boolean =>
  attribute.localized !== true && attribute.type !== "relation";
