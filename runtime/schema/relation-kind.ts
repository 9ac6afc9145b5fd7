/** The kinds of relations, as schema files name them. `morph` ones lead to documents of any type. */
export const relationKinds = [
  "oneToOne",
  "oneToMany",
  "manyToOne",
  "manyToMany",
  "morphToOne",
  "morphToMany",
  "morphOne",
  "morphMany",
] as const;

/** The kind of a relation. */
export type RelationKind = (typeof relationKinds)[number];

/** Whether a relation of each kind leads to any number of documents. */
const MANY: Readonly<Record<RelationKind, boolean>> = {
  oneToOne: false,
  oneToMany: true,
  manyToOne: false,
  manyToMany: true,
  morphToOne: false,
  morphToMany: true,
  morphOne: false,
  morphMany: true,
};

/** Whether a relation of this kind leads to any number of documents, in an order; else it leads to one or none. */
export const leadsToMany = (kind: RelationKind): boolean => MANY[kind];
