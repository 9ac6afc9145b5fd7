/** Where attributes lead. */
import type { Attribute, Field } from "../schema/content-type.ts";

/** The uid of the content type that a relation leads to; undefined for other attributes, and for relations to any type. */
export const targetOf = (attribute: Attribute | Field): string | undefined =>
  attribute.type === "relation" && "target" in attribute ? attribute.target : undefined;
