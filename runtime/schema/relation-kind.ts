/** Whether a relation of each kind leads to any number of documents; `morph` ones lead to documents of any type. */
const MANY = {
  oneToOne: false,
  oneToMany: true,
  manyToOne: false,
  manyToMany: true,
  morphToOne: false,
  morphToMany: true,
  morphOne: false,
  morphMany: true,
};

/** The kind of a relation, as schema files name it. */
export type RelationKind = keyof typeof MANY;

const isRelationKind = (name: string): name is RelationKind => Object.hasOwn(MANY, name);

/** All relation kinds. */
export const relationKinds = Object.keys(MANY).filter(isRelationKind);

/** Whether a relation of this kind leads to any number of documents, in an order; else it leads to one or none. */
export const leadsToMany = (kind: RelationKind): boolean => MANY[kind];
