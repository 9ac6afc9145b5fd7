/** The schemas of documents, component entries and files in responses. */
import { formOf, type ScalarForm } from "../base/scalar-form.ts";
import { type Attributes, targetOf } from "../schema/attributes.ts";
import type { Attribute, ContentType, Field, ScalarType } from "../schema/content-type.ts";
import { leadsToMany } from "../schema/field.ts";
import { fileType } from "../schema/file-type.ts";
import { membersOf, type Schema, type SchemaMember } from "../schema/validation/members.ts";
import { valueSchema } from "../schema/validation/plain-schema.ts";
import {
  anyOf,
  instant,
  integer,
  type JsonObject,
  list,
  orNull,
  record,
  ref,
  shape,
  text,
  truth,
} from "./json-schema.ts";
import type { Declared } from "./names.ts";

const digits = { type: "string", pattern: String.raw`^-?\d+$` };

const SCALARS: Readonly<Record<ScalarForm, JsonObject>> = {
  text,
  integer,
  number: { type: "number" },
  decimal: { type: "number" },
  digits,
  boolean: truth,
  date: { type: "string", format: "date" },
  time: text,
  instant,
  epoch: digits,
  json: {},
};

const scalar = (type: ScalarType, member: SchemaMember | undefined): JsonObject => {
  if (type === "blocks") return ref("Blocks");
  const values = type === "enumeration" && member ? valueSchema(member.schema)["enum"] : undefined;
  return values === undefined ? SCALARS[formOf(type)] : { type: "string", enum: values };
};

/** The owner of attributes, and whether each attribute always has a value. */
interface Owner {
  readonly attributes: Attributes;
  readonly schema?: Schema;
  isCertain(attribute: Attribute | Field, member: SchemaMember | undefined): boolean;
}

const linked = (target: JsonObject, isMany: boolean | undefined): JsonObject =>
  isMany ? list(target) : orNull(target);

/** An attribute in a response. */
const shown = (attribute: Attribute | Field, name: string, owner: Owner, { names }: Declared): JsonObject => {
  switch (attribute.type) {
    case "relation": {
      const target = targetOf(attribute);
      return linked(ref(target === undefined ? "AnyDocument" : names.type(target)), leadsToMany(attribute.relation));
    }
    case "media":
      return linked(ref("File"), attribute.multiple);
    case "component":
      return linked(ref(names.component(attribute.component)), attribute.repeatable);
    case "dynamiczone":
      return list(anyOf(...attribute.components.map((uid) => ref(`${names.component(uid)}Zone`))));
    default: {
      const member = owner.schema && membersOf(owner.schema).get(name);
      const value = scalar(attribute.type, member);
      return owner.isCertain(attribute, member) ? value : orNull(value);
    }
  }
};

/** The attributes that answers show. */
const shownAttributes = (owner: Owner, declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.entries(owner.attributes)
      .filter(([, attribute]) => !attribute.private && attribute.type !== "password")
      .map(([name, attribute]) => [name, shown(attribute, name, owner, declared)]),
  );

/** What every document has besides its attributes. */
const systemFields = ({ uid, localized, privateFields = [] }: ContentType, { names }: Declared): JsonObject => {
  const fields = {
    createdAt: instant,
    updatedAt: instant,
    publishedAt: orNull(instant),
    locale: orNull(text),
    ...(localized ? { localizations: list(ref(names.type(uid))) } : {}),
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !privateFields.includes(name)));
};

const documentMembers = (type: ContentType, owner: Omit<Owner, "attributes">, declared: Declared): JsonObject => ({
  id: integer,
  documentId: text,
  ...shownAttributes({ ...owner, attributes: type.attributes }, declared),
  ...systemFields(type, declared),
});

/** Users and roles also have routes of their own, which show the same fields as those of the type. */
const typeSchemas = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.contentTypes).map(({ type, validator: schema }) => {
      const isCertain: Owner["isCertain"] = (_, member) => !type.draftAndPublish && member?.required === true;
      // `fields` may leave out anything. A caller who may not read what it wrote gets only the documentId.
      return [
        declared.names.type(type.uid),
        record(documentMembers(type, { schema, isCertain }, declared), ["documentId"]),
      ];
    }),
  );

const componentSchemas = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.components).flatMap(({ component: { uid, attributes }, validator: schema }) => {
      const name = declared.names.component(uid);
      // A change to an entry may remove required values.
      const members = shownAttributes({ attributes, schema, isCertain: () => false }, declared);
      return [
        [name, record({ id: integer, ...members })],
        [`${name}Zone`, { allOf: [ref(name), shape({ __component: { const: uid } })] }],
      ];
    }),
  );

const isNotNull: Owner["isCertain"] = (attribute) => "column" in attribute && attribute.column.notNull;

const fileSchema = (declared: Declared): JsonObject => {
  const members = documentMembers(fileType, { isCertain: isNotNull }, declared);
  return record({ ...members, related: list(ref("AnyDocument")), isUrlSigned: { const: false } }, ["id", "documentId"]);
};

/** The schemas of all responses that hold content, by name. */
export const answerSchemas = (declared: Declared): JsonObject => ({
  ...typeSchemas(declared),
  ...componentSchemas(declared),
  File: fileSchema(declared),
  AnyDocument: {
    ...record({ __type: text, id: integer, documentId: text }),
    description: "A document of any type; `__type` is the uid of its own.",
  },
});
