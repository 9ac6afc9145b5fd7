/** Where attributes lead. */
import type { Attribute, Field, RelationKind } from "../schema/content-type.ts";

/** The uid of the content type that a relation leads to; undefined for other attributes, and for relations to any type. */
export const targetOf = (attribute: Attribute | Field): string | undefined =>
  attribute.type === "relation" && "target" in attribute ? attribute.target : undefined;

const TO_MANY: ReadonlySet<RelationKind> = new Set(["oneToMany", "manyToMany", "morphToMany", "morphMany"]);

/** Whether a relation may lead to several documents. */
export const leadsToMany = ({ relation }: { readonly relation: RelationKind }): boolean => TO_MANY.has(relation);
