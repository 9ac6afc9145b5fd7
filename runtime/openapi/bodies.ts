/** The schemas of bodies: the generated Zod schemas as JSON Schema. */
import { type Attributes, targetOf } from "../schema/attributes.ts";
import type { Attribute, Field, ScalarType } from "../schema/content-type.ts";
import { blockNodes } from "../schema/validation/blocks.ts";
import { membersOf, type Schema, type SchemaMember } from "../schema/validation/members.ts";
import { listSchema, plainSchema, valueSchema } from "../schema/validation/plain-schema.ts";
import { anyOf, hoisted, integer, type JsonObject, list, orNull, record, ref, text, truth } from "./json-schema.ts";
import type { Declared } from "./names.ts";

/**
 * What a body is for. `Input` describes a document that is published; `Changes` describes an update or a draft, in
 * which anything may be missing.
 */
type Purpose = "Input" | "Changes";

interface Context extends Declared {
  readonly purpose: Purpose;
  /** Whether lower limits and patterns apply; they do not in drafts. */
  readonly strict: boolean;
}

/** The minimum number of entries in a list; optional lists may be empty. */
const leastOf = (least: number, required: boolean): JsonObject => {
  if (required) return { minItems: least };
  return least > 1 ? { not: { minItems: 1, maxItems: least - 1 } } : {};
};

/** How many entries a list may have. */
const limitsOf = ({ schema, required }: SchemaMember, { strict }: Context): JsonObject => {
  const { minItems, maxItems } = listSchema(schema);
  return {
    ...(minItems === undefined || !strict ? {} : leastOf(Number(minItems), required)),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
};

/** Allows the empty text for optional values, whatever the pattern. */
const orEmpty = ({ pattern, ...schema }: JsonObject, { required }: SchemaMember): JsonObject =>
  pattern === undefined ? schema : { ...schema, pattern: required ? pattern : `^$|${String(pattern)}` };

/** Removes lower limits, patterns and formats, which are checked only when publishing. */
const lenient = ({ minLength: _a, minimum: _b, pattern: _c, format, ...rest }: JsonObject): JsonObject =>
  format === undefined || format === "email" ? rest : { ...rest, format };

/** A value: the Zod schema as JSON Schema. */
const writtenScalar = (type: ScalarType, { schema }: SchemaMember): JsonObject => {
  switch (type) {
    case "json":
      return {};
    case "blocks":
      return ref("Blocks");
    case "password":
      return { ...valueSchema(schema), format: "password" };
    case "time":
      // Our times of day have no zone, but the format `time` requires one.
      return text;
    default:
      return valueSchema(schema);
  }
};

const written = (attribute: Attribute | Field, member: SchemaMember, context: Context): JsonObject => {
  const { names, purpose, strict } = context;
  switch (attribute.type) {
    case "relation": {
      const of = attribute.relation.startsWith("morphTo") ? "OfAny" : "";
      const target = targetOf(attribute);
      const notes = target === undefined ? {} : { "x-target": target };
      return ref(`Reference${of}`, notes);
    }
    case "media": {
      const { allowedTypes } = attribute;
      return ref("Reference", allowedTypes === undefined ? {} : { "x-types": allowedTypes });
    }
    case "component": {
      const entry = ref(`${names.component(attribute.component)}${purpose}`);
      return attribute.repeatable ? list(entry, limitsOf(member, context)) : entry;
    }
    case "dynamiczone": {
      const entries = attribute.components.map((uid) => ref(`${names.component(uid)}Zone${purpose}`));
      return list(anyOf(...entries), limitsOf(member, context));
    }
    default: {
      const value = writtenScalar(attribute.type, member);
      return strict ? orEmpty(value, member) : lenient(value);
    }
  }
};

const withDefault = (schema: JsonObject, { default: value }: SchemaMember, attribute: Attribute | Field): JsonObject =>
  // The default of a date or time is the current time, so it cannot be written down.
  value === undefined || /^(?:date|time)/.test(attribute.type) ? schema : { ...schema, default: plainJson(value) };

const plainJson = (value: unknown): JsonObject[string] => JSON.parse(JSON.stringify(value));

const bodySchema = (attributes: Attributes, schema: Schema, context: Context, more: JsonObject = {}): JsonObject => {
  const members = membersOf(schema);
  const isChange = context.purpose === "Changes";
  const required: string[] = [];
  const properties = Object.entries(attributes).flatMap(([name, attribute]): [string, JsonObject][] => {
    const member = members.get(name);
    if (!member || attribute.writable === false) return [];
    const isLink = attribute.type === "relation" || attribute.type === "media";
    const isNeeded = member.required && member.condition === undefined && (context.strictRelations || !isLink);
    if (isNeeded && !isChange && member.default === undefined) required.push(name);
    const value = written(attribute, member, context);
    const open = isNeeded && context.strict ? value : orNull(value);
    return [[name, isChange ? open : withDefault(open, member, attribute)]];
  });
  return record({ ...more, ...Object.fromEntries(properties) }, required);
};

const PURPOSES = ["Input", "Changes"] as const;

const typeBodies = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.contentTypes).flatMap(({ type: { uid, attributes, draftAndPublish }, validator }) =>
      PURPOSES.map((purpose) => [
        `${declared.names.type(uid)}${purpose}`,
        bodySchema(attributes, validator, { ...declared, purpose, strict: purpose === "Input" || !draftAndPublish }),
      ]),
    ),
  );

const componentBodies = (declared: Declared): JsonObject =>
  Object.fromEntries(
    Object.values(declared.components).flatMap(({ component: { uid, attributes }, validator }) => {
      const name = declared.names.component(uid);
      const tag = record({ __component: { const: uid } }, ["__component"]);
      return PURPOSES.flatMap((purpose) => [
        [
          `${name}${purpose}`,
          bodySchema(attributes, validator, { ...declared, purpose, strict: purpose === "Input" }, { id: integer }),
        ],
        [`${name}Zone${purpose}`, { allOf: [ref(`${name}${purpose}`), tag] }],
      ]);
    }),
  );

/** The forms of a relation in a body: a target, a list of targets, or changes to the current ones. */
const reference = (target: string): JsonObject => {
  const some = anyOf(ref(target), list(ref(target)), { type: "null" });
  return anyOf(
    ref(target),
    list(ref(target)),
    record({ set: some, connect: some, disconnect: some, options: record({ strict: truth }) }),
  );
};

/** The schemas of references to documents and files. */
const referenceSchemas = (): JsonObject => {
  const key = anyOf(text, integer);
  const position = orNull(record({ before: key, after: key, start: { const: true }, end: { const: true } }));
  const named = record({ documentId: text, id: key, position });
  return {
    Target: { ...anyOf(key, named), description: "A document or file, by its documentId or its id." },
    TargetOfAny: {
      ...record({ __type: text, documentId: text, id: key, position }, ["__type"]),
      description: "A document of the type whose uid `__type` holds.",
    },
    Reference: reference("Target"),
    ReferenceOfAny: reference("TargetOfAny"),
  };
};

/** The schemas of rich text and its nodes, by name. */
const blockSchemas = (): JsonObject => {
  const { schema, defs } = hoisted(plainSchema(blockNodes), "");
  return { Blocks: schema, ...defs };
};

/** The schemas of all bodies that hold content, by name. */
export const bodySchemas = (declared: Declared): JsonObject => ({
  ...typeBodies(declared),
  ...componentBodies(declared),
  ...referenceSchemas(),
  ...blockSchemas(),
});
