/** Stored versions as input for validators. */
import type { ContentType } from "../../schema/content-type.ts";
import { attributesOf, isComponent, isScalar } from "../attributes.ts";
import type { Version } from "../sql/version.ts";
import { fromColumn } from "./values.ts";

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
      if (!isComponent(attribute)) return [name, links.get(name) ?? value];
      const parsed: unknown = value === null ? null : JSON.parse(String(value));
      return [name, parsed ?? (attribute.type === "component" && !attribute.repeatable ? undefined : [])];
    }),
  );
