/** What descriptors say of one attribute: what it holds, and in content types also where that is stored. */
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ComponentUid, Uid } from "./document.ts";
import type { RelationKind } from "./relation-kind.ts";

/** The attribute types that hold one value of their own. */
export type ScalarType =
  | "string"
  | "text"
  | "richtext"
  | "email"
  | "password"
  | "uid"
  | "enumeration"
  | "integer"
  | "biginteger"
  | "float"
  | "decimal"
  | "date"
  | "time"
  | "datetime"
  | "timestamp"
  | "boolean"
  | "json"
  | "blocks";

/** What a media attribute may be limited to. */
export type MediaKind = "images" | "videos" | "files" | "audios";

interface Flags {
  /** Never in an answer, and no query parameter may name it; bodies may write it. */
  readonly private?: true;
  /** The value differs per locale. Relations always do, and do not say so. */
  readonly localized?: true;
  /** `false`: bodies may not write it; code of the application may. */
  readonly writable?: false;
}

/** A field as components have it: what it is, without where it is stored. */
export type ScalarField = Flags & {
  readonly type: ScalarType;
  readonly unique?: true;
  /** `false`: left out of `_q`. */
  readonly searchable?: false;
};
/** Files: one, or with `multiple` an ordered list. */
export type MediaField = Flags & {
  readonly type: "media";
  readonly multiple?: true;
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

/** Any attribute, as components have it. */
export type Field = ScalarField | MediaField | ComponentField | DynamicZoneField | RelationField;

interface InColumn {
  readonly column: AnyPgColumn;
}
interface InLink {
  readonly link: LinkTable;
}

/** A table from versions to documents or files, in order. */
export type LinkTable = PgTable & {
  readonly versionId: AnyPgColumn;
  readonly position: AnyPgColumn;
};
/** `inversePosition` is there when the other side sees the link too, as an ordered list. */
export type DocumentLinkTable = LinkTable & {
  readonly documentId: AnyPgColumn;
  readonly inversePosition?: AnyPgColumn;
};
/** A polymorphic link also keeps the uid of the document's type. */
export type MorphLinkTable = DocumentLinkTable & { readonly documentType: AnyPgColumn };
/** A table from versions to files, in order. */
export type FileLinkTable = LinkTable & { readonly fileId: AnyPgColumn };

type Relation<Kind extends RelationKind> = Flags & { readonly type: "relation"; readonly relation: Kind };

/** The column holds the documentId of the target. */
export type ToOneRelation = OneToOneRelation | ManyToOneRelation;

/** `inverse` names the attribute of the target that sees this one: a target leaves the document that led to it before. */
export type OneToOneRelation = Relation<"oneToOne"> &
  InColumn & { readonly target: Uid; readonly inverse?: string; readonly inversePosition?: undefined };
export type ManyToOneRelation = Relation<"manyToOne"> &
  InColumn & {
    readonly target: Uid;
    /** Where this version stands in the inverse side's list; there when the target sees it. */
    readonly inversePosition?: AnyPgColumn;
  };
/** The link table leads to the targets. */
export type ToManyRelation = Relation<"oneToMany" | "manyToMany"> & {
  readonly target: Uid;
  readonly link: DocumentLinkTable;
};
/** Stored by the target's attribute `mappedBy`. */
export type InverseRelation = Relation<"oneToOne" | "oneToMany" | "manyToMany"> & {
  readonly target: Uid;
  readonly mappedBy: string;
};
/** One document of any type; `typeColumn` holds the uid of its type. */
export type MorphToOneRelation = Relation<"morphToOne"> & InColumn & { readonly typeColumn: AnyPgColumn };
/** Documents of any type, in order. */
export type MorphToManyRelation = Relation<"morphToMany"> & { readonly link: MorphLinkTable };
/** Stored by the target's morph attribute `morphBy`. */
export type MorphInverseRelation = Relation<"morphOne" | "morphMany"> & {
  readonly target: Uid;
  readonly morphBy: string;
};

/** A value in a column. */
export type ScalarAttribute = ScalarField & InColumn;
/** The id of a file in a column, or a link table where there are several. */
export type MediaAttribute = MediaField & (InColumn | (InLink & { readonly link: FileLinkTable }));
/** JSON text in a column; entries carry their `id`. */
export type ComponentAttribute = ComponentField & InColumn;
/** JSON text in a column; entries carry `__component` and `id`. */
export type DynamicZoneAttribute = DynamicZoneField & InColumn;
/** A relation, by who stores it: a column or link table of this type, or an attribute of the target. */
export type RelationAttribute =
  | ToOneRelation
  | ToManyRelation
  | InverseRelation
  | MorphToOneRelation
  | MorphToManyRelation
  | MorphInverseRelation;

/** Any attribute, as content types have it. */
export type Attribute =
  | ScalarAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute
  | RelationAttribute;

/**
 * A table as far as its columns go. Drizzle's tables also carry the types of their rows, for selecting and inserting, and
 * comparing those takes the compiler longer than everything else in a descriptor together. Nothing asks a descriptor's
 * table for them.
 */
export type Columns<Table extends PgTable> = Omit<Table, "_" | "$inferSelect" | "$inferInsert">;

/** An attribute as generated files write it. */
export type Declared<Any> = Any extends { readonly link: infer Link extends PgTable }
  ? Omit<Any, "link"> & { readonly link: Columns<Link> }
  : Any;
