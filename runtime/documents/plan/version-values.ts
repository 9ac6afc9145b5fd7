/** The values of versions: built from bodies, and as input for validators. */
import { remembering } from "../../base/remembering.ts";
import type { Value } from "../../database/database.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import { attributesOf, isComponent, isMany, isMorphToOne, isScalar, isToOne } from "../attributes.ts";
import type { ParsedItem } from "../body/parse.ts";
import type { Source, WriteServices } from "../context.ts";
import { toOne } from "../links/changes.ts";
import type { Version } from "../sql/version.ts";
import { buildEntries, type EntryContext } from "./entries.ts";
import { toColumn, fromColumn } from "./values.ts";

export interface DraftRequest {
  readonly source: Source;
  readonly schema: Schema;
  readonly item: ParsedItem;
  /** The stored version; undefined if the version is new. */
  readonly stored: Version | undefined;
}

type Values = Record<string, Value>;

/**
 * The values of all columns. Positions in inverse lists are null here: the statement that stores the version determines
 * them.
 */
export const buildValues = (context: EntryContext, { source, schema, item, stored }: DraftRequest): Values => {
  const { targets } = context;
  const values: Values = { ...stored?.values };
  for (const [name, attribute] of attributesOf(source.type)) {
    const current = stored?.values[name] ?? null;
    if (isScalar(attribute)) {
      const standard = stored ? undefined : membersOf(schema).get(name)?.default;
      if (Object.hasOwn(item.data, name)) values[name] = toColumn(attribute, item.data[name]);
      else values[name] = standard === undefined ? current : toColumn(attribute, standard);
    } else if (isComponent(attribute)) {
      const entries = item.components.get(name);
      const empty = attribute.type === "component" && !attribute.repeatable ? null : "[]";
      if (entries) {
        const built = buildEntries(context, name, attribute, entries, stored ? current : undefined);
        values[name] = built === null ? null : JSON.stringify(built);
      } else values[name] = current ?? empty;
    } else if ("column" in attribute) {
      const change = item.links.get(name);
      const type = values[`${name}:type`] ?? null;
      const isMorph = isMorphToOne(attribute);
      const key = targetKey(current, isMorph ? type : null);
      const next = change ? toOne(targets, attribute, change, key) : key;
      if (next !== key || !stored)
        Object.assign(values, linkValues(name, next, { isMorph, isFile: attribute.type === "media" }));
      if (isToOne(attribute) && attribute.inversePosition && next !== key) values[`${name}:position`] = null;
      values[`${name}:position`] ??= null;
    }
  }
  return values;
};

const targetKey = (current: Value, type: Value): string | null => {
  if (current === null) return null;
  return type === null ? String(current) : `${String(type)} ${String(current)}`;
};

const linkValues = (
  name: string,
  key: string | null,
  { isMorph, isFile }: { isMorph: boolean; isFile: boolean },
): Values => {
  if (isMorph) {
    const [type = null, documentId = null] = key?.split(" ") ?? [];
    return { [name]: documentId, [`${name}:type`]: type };
  }
  return { [name]: isFile && key !== null ? Number(key) : key };
};

/** The key of a link as a reference: a file's id, a documentId, or type and documentId. */
const referenceOf = (attribute: Attribute, key: string): unknown => {
  if (attribute.type === "media") return Number(key);
  const [type = "", documentId = ""] = key.split(" ");
  return documentId === "" ? { documentId: key } : { __type: type, documentId };
};

/** Undefined for links that were not loaded. */
const linkOf = (
  name: string,
  attribute: Attribute,
  values: Readonly<Record<string, Value>>,
  keys: readonly string[] | undefined,
): unknown => {
  const type = values[`${name}:type`];
  const own = values[name] ?? null;
  const key = own === null || type === undefined || type === null ? own : `${String(type)} ${String(own)}`;
  if (!isMany(attribute) && keys === undefined) return key === null ? null : referenceOf(attribute, String(key));
  const references = keys?.map((each) => referenceOf(attribute, each));
  return isMany(attribute) ? references : (references?.[0] ?? null);
};

/**
 * A stored version in the form of a body, with null for unset values. `links` has the keys of to-many relations and
 * files, as far as the validator needs them.
 */
export const entityOf = (
  type: ContentType,
  { values }: Pick<Version, "values">,
  links: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> =>
  Object.fromEntries(
    attributesOf(type).map(([name, attribute]) => {
      const value = values[name] ?? null;
      if (isScalar(attribute)) return [name, fromColumn(attribute, value)];
      if (!isComponent(attribute)) return [name, linkOf(name, attribute, values, links.get(name))];
      const parsed: unknown = value === null ? null : JSON.parse(String(value));
      return [name, parsed ?? (attribute.type === "component" && !attribute.repeatable ? undefined : [])];
    }),
  );

/** The attributes that a validator has to see for publishing: all, if application code has extended it. */
export const requiredNames = ({ registry }: WriteServices, type: ContentType): readonly string[] =>
  (registry.isExtended(type.uid) ? namesIn : requiredIn)(registry.validator(type.uid));

const namesIn = (schema: Schema): readonly string[] => [...membersOf(schema).keys()];

const requiredIn = remembering((schema: Schema): readonly string[] =>
  [...membersOf(schema)].flatMap(([name, { required }]) => (required ? [name] : [])),
);
