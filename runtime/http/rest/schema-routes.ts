/**
 * Routes that describe the declared content types and components, for source plugins of static site generators:
 * `/content-type-builder/...`, in the shape that those read. Callers with the permission also see private attributes,
 * as in a schema file.
 */
import { getTableName } from "drizzle-orm";
import { NotFoundError } from "../../base/errors.ts";
import type { Attribute, Component, ContentType, Field } from "../../schema/content-type.ts";
import { displayNameOf } from "../../schema/display-name.ts";
import { fileType } from "../../schema/file-type.ts";
import type { Declarations, DeclaredComponent, DeclaredType } from "../../schema/registry.ts";
import { membersOf, type Schema, type SchemaMember } from "../../schema/validation/members.ts";
import { type JsonObject, valueSchema } from "../../schema/validation/plain-schema.ts";
import { can, type Router, router } from "./router.ts";

/** Names of options in schema files, by their names in JSON Schema where the two differ. */
const OPTIONS: Readonly<Record<string, string>> = {
  minLength: "minLength",
  maxLength: "maxLength",
  minimum: "min",
  maximum: "max",
  pattern: "regex",
  enum: "enum",
};

/** These types have a fixed pattern, which is not an option of the attribute. */
const OWN_PATTERN = new Set(["uid", "email", "biginteger"]);

/** The length limit that single-line texts have anyway. */
const LONGEST_STRING = 255;

const scalarOptions = (type: string, { schema }: SchemaMember): JsonObject =>
  Object.fromEntries(
    Object.entries(valueSchema(schema)).flatMap(([word, value]) => {
      const name = word === "maxLength" && value === LONGEST_STRING ? undefined : OPTIONS[word];
      return name === undefined || (name === "regex" && OWN_PATTERN.has(type)) ? [] : [[name, value]];
    }),
  );

const listOptions = ({ schema }: SchemaMember): JsonObject => {
  const { minItems, maxItems } = valueSchema(schema);
  return { ...(minItems === undefined ? {} : { min: minItems }), ...(maxItems === undefined ? {} : { max: maxItems }) };
};

/** The attribute of the target type that is the inverse of this relation; null if there is none. */
const otherSide = (
  { contentTypes }: Declarations,
  { uid, name, target }: { readonly uid: string; readonly name: string; readonly target: string },
): string | null => {
  const declared = Object.values(contentTypes).find(({ type }) => type.uid === target);
  const attributes: Readonly<Record<string, Attribute>> = declared?.type.attributes ?? {};
  const found = Object.entries(attributes).find(
    ([, each]) => "mappedBy" in each && each.mappedBy === name && each.target === uid,
  );
  return found?.[0] ?? null;
};

interface Owner {
  readonly uid: string;
  readonly schema: Schema | undefined;
  readonly declarations: Declarations;
}

const kindOptions = (name: string, attribute: Attribute | Field, member: SchemaMember | undefined, owner: Owner) => {
  switch (attribute.type) {
    case "relation": {
      const { relation } = attribute;
      if (!("target" in attribute) || attribute.target === undefined) return { relation };
      const { target } = attribute;
      const mappedBy = "mappedBy" in attribute ? attribute.mappedBy : undefined;
      const targetAttribute = mappedBy ?? otherSide(owner.declarations, { uid: owner.uid, name, target });
      return { relation, target, targetAttribute, ...(mappedBy === undefined ? {} : { mappedBy }) };
    }
    case "media":
      return { multiple: attribute.multiple === true, allowedTypes: [...(attribute.allowedTypes ?? [])] };
    case "component": {
      const { component, repeatable = false } = attribute;
      return { component, repeatable, ...(member ? listOptions(member) : {}) };
    }
    case "dynamiczone":
      return { components: [...attribute.components], ...(member ? listOptions(member) : {}) };
    default:
      return member ? scalarOptions(attribute.type, member) : {};
  }
};

const attributesOf = (attributes: Readonly<Record<string, Attribute | Field>>, owner: Owner): JsonObject => {
  const members = owner.schema && membersOf(owner.schema);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]): [string, JsonObject] => {
      const member = members?.get(name);
      const flags = {
        ...(member?.required ? { required: true } : {}),
        ...(attribute.private ? { private: true } : {}),
        ...(attribute.writable === false ? { writable: false } : {}),
        ...("unique" in attribute && attribute.unique ? { unique: true } : {}),
        ...(attribute.localized ? { pluginOptions: { i18n: { localized: true } } } : {}),
      };
      return [name, { type: attribute.type, ...kindOptions(name, attribute, member, owner), ...flags }];
    }),
  );
};

const labelsOf = (name: string, { displayName = displayNameOf(name), description }: Component | ContentType) => ({
  displayName,
  ...(description === undefined ? {} : { description }),
});

const describeType = (type: ContentType, schema: Schema | undefined, declarations: Declarations) => {
  const { uid, kind, singularName, pluralName, draftAndPublish, localized } = type;
  const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? [];
  return {
    uid,
    ...(plugin === undefined ? {} : { plugin }),
    apiID: singularName,
    schema: {
      kind,
      singularName,
      pluralName,
      collectionName: getTableName(type.table),
      ...labelsOf(singularName, type),
      draftAndPublish,
      pluginOptions: { i18n: { localized } },
      visible: true,
      attributes: attributesOf(type.attributes, { uid, schema, declarations }),
    },
  };
};

const describeComponent = (component: Component, schema: Schema, declarations: Declarations) => {
  const { uid, attributes } = component;
  const [category = "", name = ""] = uid.split(".");
  return {
    uid,
    category,
    apiId: name,
    schema: { ...labelsOf(name, component), attributes: attributesOf(attributes, { uid, schema, declarations }) },
  };
};

/** All content types as these routes describe them. */
export const describeTypes = (declarations: Declarations) => [
  ...Object.values<DeclaredType>(declarations.contentTypes).map(({ type, validator }) =>
    describeType(type, validator, declarations),
  ),
  describeType(fileType, undefined, declarations),
];

/** All components as these routes describe them. */
export const describeComponents = (declarations: Declarations) =>
  Object.values<DeclaredComponent>(declarations.components).map(({ component, validator }) =>
    describeComponent(component, validator, declarations),
  );

const oneOf = <Item extends { readonly uid: string }>(items: readonly Item[], uid: string): { data: Item } => {
  const data = items.find((item) => item.uid === uid);
  if (!data) throw new NotFoundError();
  return { data };
};

const action = (name: string) => can(`plugin::content-type-builder.${name}`);

/** The routes, mounted below the REST prefix. */
export const schemaRoutes: Router = router()
  .get("/content-type-builder/content-types", action("content-types.getContentTypes"), (c) =>
    c.json({ data: describeTypes(c.get("services").registry) }),
  )
  .get("/content-type-builder/content-types/:uid", action("content-types.getContentType"), (c) =>
    c.json(oneOf(describeTypes(c.get("services").registry), c.req.param("uid"))),
  )
  .get("/content-type-builder/components", action("components.getComponents"), (c) =>
    c.json({ data: describeComponents(c.get("services").registry) }),
  )
  .get("/content-type-builder/components/:uid", action("components.getComponent"), (c) =>
    c.json(oneOf(describeComponents(c.get("services").registry), c.req.param("uid"))),
  );
