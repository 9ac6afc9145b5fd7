/** Attributes of content types: fields, and where they are stored. */
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Uid } from "./document.ts";
import type { ComponentField, DynamicZoneField, Flags, MediaField, RelationKind, ScalarField } from "./field.ts";

interface InColumn {
  readonly column: AnyPgColumn;
}
/** With `index`, an index answers filters on the entries. */
interface InIndexedColumn extends InColumn {
  readonly index?: true;
}
interface InLink {
  readonly link: LinkTable;
}

/** A table of ordered links from versions to documents or files. */
export type LinkTable = PgTable & {
  readonly versionId: AnyPgColumn;
  readonly position: AnyPgColumn;
};
/** `inversePosition` exists if the inverse side shows the links as an ordered list. */
export type DocumentLinkTable = LinkTable & {
  readonly documentId: AnyPgColumn;
  readonly inversePosition?: AnyPgColumn;
};
/** A polymorphic link also keeps the uid of the document's type, and may name one version of the document. */
export type MorphLinkTable = DocumentLinkTable & {
  readonly documentType: AnyPgColumn;
  readonly documentVersion: AnyPgColumn;
};
/** A table from versions to files, in order. */
export type FileLinkTable = LinkTable & { readonly fileId: AnyPgColumn };

type Relation<Kind extends RelationKind> = Flags & { readonly type: "relation"; readonly relation: Kind };

/** The column holds the documentId of the target. */
export type ToOneRelation = OneToOneRelation | ManyToOneRelation;

/**
 * `inverse` names the target's attribute for the other side. If it exists, a target can have only one such link: a new
 * one removes the previous one.
 */
export type OneToOneRelation = Relation<"oneToOne"> &
  InColumn & { readonly target: Uid; readonly inverse?: string; readonly inversePosition?: undefined };
/** Any number of versions may have a link to the same target. */
export type ManyToOneRelation = Relation<"manyToOne"> &
  InColumn & {
    readonly target: Uid;
    /** The position of this version in the inverse side's list; exists if the target has an inverse attribute. */
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
/** The id of a file in a column, or a link table for several. */
export type MediaAttribute = MediaField & (InColumn | (InLink & { readonly link: FileLinkTable }));
/** JSON text in a column; entries carry their `id`. */
export type ComponentAttribute = ComponentField & InIndexedColumn;
/** JSON text in a column; entries carry `__component` and `id`. */
export type DynamicZoneAttribute = DynamicZoneField & InIndexedColumn;
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
 * A table reduced to its columns. Drizzle's tables also have types for selecting and inserting rows. Comparing those
 * would take the compiler longer than everything else in a descriptor, and nothing uses them here.
 */
export type Columns<Table extends PgTable> = Omit<Table, "_" | "$inferSelect" | "$inferInsert">;

/** An attribute as generated files declare it. */
export type Declared<Any> = Any extends { readonly link: infer Link extends PgTable }
  ? Omit<Any, "link"> & { readonly link: Columns<Link> }
  : Any;
