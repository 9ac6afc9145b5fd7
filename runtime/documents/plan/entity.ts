/** Stored versions as input for validators. */
import type { Value } from "../../database/database.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import { leadsToMany } from "../../schema/relation-kind.ts";
import { attributesOf, isComponent, isScalar } from "../attributes.ts";
import type { Version } from "../sql/version.ts";
import { fromColumn } from "./values.ts";

/** The key of a link as a reference: a file's id, a documentId, or type and documentId. */
const referenceOf = (attribute: Attribute, key: string): unknown => {
  if (attribute.type === "media") return Number(key);
  const [type = "", documentId = ""] = key.split(" ");
  return documentId === "" ? { documentId: key } : { __type: type, documentId };
};

const isList = (attribute: Attribute): boolean =>
  attribute.type === "media"
    ? attribute.multiple === true
    : attribute.type === "relation" && leadsToMany(attribute.relation);

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
  if (!isList(attribute) && keys === undefined) return key === null ? null : referenceOf(attribute, String(key));
  const references = keys?.map((each) => referenceOf(attribute, each));
  return isList(attribute) ? references : (references?.[0] ?? null);
};

/**
 * A stored version in the form of a body, with null for what is not set. `links` has the keys of to-many relations and
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
