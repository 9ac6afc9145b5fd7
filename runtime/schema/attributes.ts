/** Attributes by name, and where they lead. */
import type { Attribute, Field, Uid } from "./content-type.ts";

/** The attributes of a content type or component. */
export type Attributes = Readonly<Record<string, Attribute | Field>>;

/** The type that a relation leads to; undefined for relations to any type, and for other attributes. */
export const targetOf = (attribute: Attribute | Field): Uid | undefined =>
  attribute.type === "relation" && "target" in attribute ? attribute.target : undefined;
