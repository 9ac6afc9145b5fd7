/** Tells attributes apart by how they are stored. */
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  Field,
  FileLinkTable,
  InverseRelation,
  MediaAttribute,
  MorphInverseRelation,
  MorphToManyRelation,
  MorphToOneRelation,
  RelationAttribute,
  RelationField,
  ScalarAttribute,
  ToManyRelation,
  ToOneRelation,
} from "../schema/content-type.ts";
import { leadsToMany } from "../schema/relation-kind.ts";

/** A content type or a component, by its attributes. */
export interface Attributed {
  readonly attributes: Readonly<Record<string, Attribute | Field>>;
}

/** The attributes of a descriptor are typed by its document; here they are read by name. */
const byName = ({ attributes }: ContentType): Readonly<Record<string, Attribute>> => attributes;

export const attributesOf = (type: ContentType): readonly (readonly [name: string, attribute: Attribute])[] =>
  Object.entries(byName(type));

export const attributeOf = (type: ContentType, name: string): Attribute | undefined => {
  const attributes = byName(type);
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
};

type FileLink = MediaAttribute & { readonly link: FileLinkTable };

export const isScalar = (attribute: Attribute): attribute is ScalarAttribute =>
  !["media", "component", "dynamiczone", "relation"].includes(attribute.type);
export const isComponent = (attribute: Attribute): attribute is ComponentAttribute | DynamicZoneAttribute =>
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

/** Whether the relation leads to any number of documents. */
export const isMany = ({ relation }: RelationAttribute | RelationField): boolean => leadsToMany(relation);

/** Relations differ per locale whatever the schema says. */
export const isCopiedToLocales = (attribute: Attribute): boolean =>
  attribute.localized !== true && attribute.type !== "relation";
