/** Fields: what attributes hold, without where it is stored. It imports no types of tables: clients import it. */
import type { ScalarType } from "../base/scalar-form.ts";
import type { ComponentUid, Uid } from "./document.ts";

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

/** The kinds of files to which a media attribute may be limited. */
export type MediaKind = "images" | "videos" | "files" | "audios";

/** What attributes of every type may declare. */
export interface Flags {
  /** Never in a response, and no query may name it; bodies may write it. */
  readonly private?: true;
  /** Whether the value differs per locale. Relations always do, and need no flag. */
  readonly localized?: true;
  /** `false`: bodies may not write it; code of the application may. */
  readonly writable?: false;
  /** `false` if `_q` does not search it. */
  readonly searchable?: false;
}

/** A scalar attribute, without where it is stored; used in components. */
export type ScalarField = Flags & {
  readonly type: ScalarType;
  readonly unique?: true;
};
/** Files: one, or with `multiple` an ordered list. */
export type MediaField = Flags & {
  readonly type: "media";
  readonly multiple?: true;
  /** Whether `_q` finds documents by the alternative texts and captions of the files. */
  readonly searched?: true;
  /** The kinds of files that it takes; all by default. */
  readonly allowedTypes?: readonly MediaKind[];
};
/** A component: one entry, or with `repeatable` an ordered list. */
export type ComponentField = Flags & {
  readonly type: "component";
  readonly component: ComponentUid;
  readonly repeatable?: true;
};
/** An ordered list of entries of several components; each names its own in `__component`. */
export type DynamicZoneField = Flags & { readonly type: "dynamiczone"; readonly components: readonly ComponentUid[] };
/** Inside a component a relation is one-way; a morph relation there has no target. */
export type RelationField = Flags & {
  readonly type: "relation";
  readonly relation: RelationKind;
  readonly target?: Uid;
};

/** Any attribute without where it is stored, as in components. */
export type Field = ScalarField | MediaField | ComponentField | DynamicZoneField | RelationField;
