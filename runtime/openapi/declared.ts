/** The declarations from which the document is made. */
import type { Attribute, Field, RelationAttribute, RelationField, Uid } from "../schema/content-type.ts";
import type { Declarations } from "../schema/declarations.ts";
import type { Names } from "./names.ts";

/** Attributes of a content type or of a component, by name. */
export type Attributes = Readonly<Record<string, Attribute | Field>>;

export interface Declared extends Declarations {
  readonly names: Names;
  /** Whether bodies need their required relations and files. */
  readonly strictRelations: boolean;
}

/** The target type of a relation; undefined if it is any type. */
export const targetOf = (relation: RelationAttribute | RelationField): Uid | undefined =>
  "target" in relation ? relation.target : undefined;
