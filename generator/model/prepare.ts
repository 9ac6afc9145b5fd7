import type { z } from "zod";
import { nearest } from "../../runtime/base/did-you-mean.ts";
import type { CustomFieldType } from "../../runtime/config/custom-fields.ts";
import { leadsToMany } from "../../runtime/schema/field.ts";
import { parseJson } from "../base/json.ts";
import { problems } from "../diagnostics/codes.ts";
import type { Place, Report } from "../diagnostics/diagnostic.ts";
import { type AttributeOf, type AttributeSchema, attributeShapes } from "../schema/attribute-shapes.ts";
import type { SchemaFile } from "../schema/schema-file.ts";
import { baseTypeOf, type CustomFieldTypes } from "./custom-fields.ts";
import { snakeCase } from "./names.ts";
import {
  compare,
  keyIn,
  type Prepared,
  type PreparedAttribute,
  type PreparedComponent,
  type PreparedType,
  type RelationSchema,
  valueIn,
} from "./prepared.ts";
import { attributeNameClass, GRAPHQL_COMBINATORS } from "./reserved.ts";

interface Context {
  readonly file: SchemaFile;
  readonly report: Report;
  /** Uids of content types. */
  readonly known: ReadonlySet<string>;
  /** Uids whose files have errors. */
  readonly broken: ReadonlySet<string>;
  /** The custom fields met so far, by uid. */
  readonly customFields: Map<string, CustomFieldUse>;
  /** Their configured base types. */
  readonly configured: CustomFieldTypes;
}

interface CustomFieldUse {
  readonly first: Place;
  count: number;
}

const ATTRIBUTE_NAME = /^[A-Za-z][_0-9A-Za-z]*$/;
const TOLERATED_NAME = /^(?!__)[_\p{L}][-_\p{L}\p{M}\p{N}]*$/u;

/** Checks the name of an attribute; returns false if the attribute cannot keep it. */
const acceptName = (name: string, { file, report }: Context): boolean => {
  const place = keyIn(file, "attributes", name);
  // Every object inherits the members of Object.prototype, which would stand in for a missing value.
  if (!TOLERATED_NAME.test(name) || name in Object.prototype) {
    report(problems.attributeName, place, { attribute: name });
    return false;
  }
  if (!ATTRIBUTE_NAME.test(name)) report(problems.unusualAttributeName, place, { attribute: name });
  const ofType = file.kind === "contentType";
  const standing = attributeNameClass(snakeCase(name));
  if (standing === "identity") {
    report(problems.identityName, place, { attribute: name });
    return false;
  }
  if (standing === "system" && ofType) {
    report(problems.systemName, place, { attribute: name });
    return false;
  }
  const draftStatus = name === "status" && ofType && file.schema.options.draftAndPublish === true;
  if (standing === "discouraged" || draftStatus) report(problems.discouragedName, place, { attribute: name });
  const isFiltered = !ofType || file.schema.kind === "collectionType";
  if (isFiltered && GRAPHQL_COMBINATORS.includes(name)) report(problems.combinatorName, place, { attribute: name });
  return true;
};

const targetless = (relation: RelationSchema["relation"]): boolean =>
  relation === "morphToOne" || relation === "morphToMany";

/** Inside a component, only the relation itself can store it. */
const oneWay = (relation: RelationSchema["relation"]): RelationSchema["relation"] => {
  if (relation === "morphOne") return "oneToOne";
  return relation === "morphMany" ? "oneToMany" : relation;
};

/** Uids of the reference service without a counterpart here: the admin's users, locales, plugin types. */
const isForeign = (uid: string): boolean => /^(admin|plugin|strapi)::/.test(uid);

/** Converts a relation with an existing target; a relation to files becomes a media attribute. */
const prepareRelation = (
  name: string,
  schema: RelationSchema,
  { file, report, known, broken }: Context,
): PreparedAttribute | undefined => {
  const { target } = schema;
  if (targetless(schema.relation)) return schema;
  const relation = file.kind === "component" ? oneWay(schema.relation) : schema.relation;
  if (target === undefined) {
    report(problems.missingTarget, valueIn(file, "attributes", name), { attribute: name, relation });
    return undefined;
  }
  if (known.has(target)) return { ...schema, relation };
  if (broken.has(target)) return undefined;
  if (target === "plugin::upload.file") {
    const { required, private: hidden, writable, pluginOptions, conditions, renamedFrom } = schema;
    const common = { required, private: hidden, writable, pluginOptions, conditions, renamedFrom };
    return { type: "media", multiple: leadsToMany(relation), ...common };
  }
  const place = valueIn(file, "attributes", name, "target");
  if (isForeign(target)) report(problems.foreignTarget, place, { attribute: name, target });
  else report(problems.danglingTarget, place, { attribute: name, target }, { suggestion: nearest(target, known) });
  return undefined;
};

/** Picks the options that a type has. */
const shapeOf = (type: CustomFieldType): z.ZodType<PreparedAttribute> => attributeShapes[type];

/** The default of a type stored as JSON for lack of a better one: a text that is not JSON becomes a JSON string. */
const asJson = (value: AttributeOf<"json">["default"]): AttributeOf<"json">["default"] =>
  typeof value === "string" && parseJson(value) === undefined ? JSON.stringify(value) : value;

const prepareCustomField = (
  name: string,
  schema: Extract<AttributeSchema, { type: "customField" }>,
  { file, customFields, configured }: Context,
): PreparedAttribute => {
  const { customField } = schema;
  const type = baseTypeOf(customField, configured);
  const use = customFields.get(customField) ?? { first: valueIn(file, "attributes", name, "customField"), count: 0 };
  use.count += 1;
  customFields.set(customField, use);
  return shapeOf(type ?? "json").parse({
    ...schema,
    type: type ?? "json",
    default: type === undefined ? asJson(schema.default) : schema.default,
  });
};

const prepareAttribute = (name: string, schema: AttributeSchema, context: Context): PreparedAttribute | undefined => {
  if (!acceptName(name, context)) return undefined;
  if (schema.type === "relation") return prepareRelation(name, schema, context);
  return schema.type === "customField" ? prepareCustomField(name, schema, context) : schema;
};

const prepareAttributes = (context: Context): ReadonlyMap<string, PreparedAttribute> => {
  const prepared = new Map<string, PreparedAttribute>();
  for (const [name, schema] of Object.entries(context.file.schema.attributes)) {
    const attribute = prepareAttribute(name, schema, context);
    if (attribute) prepared.set(name, attribute);
  }
  return prepared;
};

/**
 * The first pass: sorts the files by uid and resolves each attribute by itself. Reports attributes that cannot be kept
 * and omits them from `attributes`. `broken` are uids whose files have errors, so that references to them are not
 * reported as dangling; `configured` are the configured base types of custom fields.
 */
export const prepare = (
  files: readonly SchemaFile[],
  broken: ReadonlySet<string>,
  report: Report,
  configured: CustomFieldTypes = {},
): Prepared => {
  const contentTypes: PreparedType[] = [];
  const components: PreparedComponent[] = [];
  const customFields = new Map<string, CustomFieldUse>();
  const known = new Set(files.filter(({ kind }) => kind === "contentType").map(({ uid }) => uid));
  for (const file of files.toSorted((a, b) => compare(a.uid, b.uid) || compare(a.file ?? "", b.file ?? ""))) {
    const attributes = prepareAttributes({ file, report, known, broken, customFields, configured });
    if (attributes.size === 0) report(problems.noAttributes, valueIn(file, "attributes"), { uid: file.uid });
    if (file.kind === "contentType") contentTypes.push({ ...file, attributes });
    else components.push({ ...file, attributes });
  }
  for (const [customField, { first, count }] of customFields) {
    if (Object.hasOwn(configured, customField)) continue;
    const type = baseTypeOf(customField, configured);
    report(problems.customField, first, { customField, type, count });
  }
  return { contentTypes, components };
};
