/** What answers show of documents, entries of components and files. */
import type {
  Attribute,
  ContentType,
  DynamicZoneField,
  Field,
  RelationAttribute,
  RelationField,
} from "../schema/content-type.ts";
import { fileType } from "../schema/file-type.ts";
import { leadsToMany } from "../schema/relation-kind.ts";
import { membersOf, type Schema } from "../schema/validation/members.ts";
import { type Attributes, type Declared, targetOf } from "./declared.ts";
import { anyOf, instant, integer, type JsonObject, list, orNull, record, ref, text } from "./json-schema.ts";
import { shownScalar } from "./scalars.ts";

const relation = (attribute: RelationAttribute | RelationField, { names }: Declared): JsonObject => {
  const target = targetOf(attribute);
  const name = target === undefined ? "AnyDocument" : names.type(target);
  return leadsToMany(attribute.relation) ? list(ref(name)) : orNull(ref(name));
};

/** The entries of a zone, told apart by `__component`. */
const zone = ({ components }: DynamicZoneField, { names }: Declared): JsonObject =>
  list(anyOf(...components.map((uid) => ref(`${names.component(uid)}Zone`))));

/** An attribute in an answer; undefined where answers never show it. */
const shown = (attribute: Attribute | Field, schema: Schema, name: string, declared: Declared, sure: boolean) => {
  if (attribute.private || attribute.type === "password") return undefined;
  const member = membersOf(schema).get(name);
  switch (attribute.type) {
    case "relation":
      return relation(attribute, declared);
    case "media":
      return attribute.multiple ? list(ref("File")) : orNull(ref("File"));
    case "component": {
      const entry = ref(declared.names.component(attribute.component));
      return attribute.repeatable ? list(entry) : orNull(entry);
    }
    case "dynamiczone":
      return zone(attribute, declared);
    default: {
      const value = shownScalar(attribute.type, member);
      return sure && member?.required ? value : orNull(value);
    }
  }
};

const shownAttributes = (attributes: Attributes, schema: Schema, declared: Declared, sure: boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = shown(attribute, schema, name, declared, sure);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** What every document has besides its attributes. */
const systemFields = (type: ContentType, name: string): JsonObject => ({
  createdAt: instant,
  updatedAt: instant,
  publishedAt: orNull(instant),
  locale: orNull(text),
  ...(type.localized ? { localizations: list(ref(name)) } : {}),
});

const visible = (fields: JsonObject, hidden: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));

const documentSchema = (type: ContentType, schema: Schema, declared: Declared): JsonObject => {
  const sure = !type.draftAndPublish;
  const attributes = shownAttributes(type.attributes, schema, declared, sure);
  const system = visible(systemFields(type, declared.names.type(type.uid)), type.privateFields);
  // What `fields` leaves out is not there. Of what a caller wrote and may not read, the documentId alone is.
  return record({ id: integer, documentId: text, ...attributes, ...system }, ["documentId"]);
};

/** Users and roles are also shown by routes of their own, which know no other fields than those of the type. */
const typeSchemas = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.contentTypes).map(({ type, validator }) => [
      declared.names.type(type.uid),
      documentSchema(type, validator, declared),
    ]),
  );

const componentSchemas = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.components).flatMap(({ component, validator }) => {
      const name = declared.names.component(component.uid);
      // A change of an entry may take away what is required.
      const members = shownAttributes(component.attributes, validator, declared, false);
      const tag = record({ __component: { const: component.uid } }, ["__component"]);
      return [
        [name, record({ id: integer, ...members })],
        [`${name}Zone`, { allOf: [ref(name), tag] }],
      ];
    }),
  );

const FILE_REQUIRED = new Set(["name", "hash", "mime", "size", "url", "provider"]);

const fileSchema = (): JsonObject => {
  const attributes = Object.entries(fileType.attributes).map(([name, attribute]): [string, JsonObject] => {
    const value = attribute.type === "relation" || attribute.type === "media" ? {} : fileValue(attribute);
    return [name, FILE_REQUIRED.has(name) ? value : orNull(value)];
  });
  return record(
    {
      id: integer,
      documentId: text,
      ...Object.fromEntries(attributes),
      createdAt: instant,
      updatedAt: instant,
      publishedAt: orNull(instant),
      locale: orNull(text),
      related: list(ref("AnyDocument")),
      isUrlSigned: { const: false },
    },
    ["id", "documentId"],
  );
};

const fileValue = (attribute: Attribute): JsonObject =>
  attribute.type === "component" ||
  attribute.type === "dynamiczone" ||
  attribute.type === "media" ||
  attribute.type === "relation"
    ? {}
    : shownScalar(attribute.type, undefined);

/** The schemas of all answers that hold content, by name. */
export const answerSchemas = (declared: Declared): JsonObject => ({
  ...typeSchemas(declared),
  ...componentSchemas(declared),
  File: fileSchema(),
  AnyDocument: {
    ...record({ __type: text, id: integer, documentId: text }),
    description: "A document of any type; `__type` is the uid of its own.",
  },
});
