/**
 * Descriptors, which the generated `type.ts` files declare and which control every part of the runtime. An attribute
 * that is not listed here cannot be filtered, sorted, populated, written or answered.
 */
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Searching } from "../search/vector.ts";
import type { Attribute, Columns, Declared } from "./attribute.ts";
import type { DocumentFields, Uid } from "./document.ts";
import type { TypeLayout } from "./layout.ts";

export type { ScalarType } from "../base/scalar-form.ts";
export type * from "./attribute.ts";
export { type Component, defineComponent } from "./component.ts";
export type * from "./document.ts";
export type * from "./field.ts";
export type { RelationKind } from "./field.ts";

/** A table of versions: rows that are the draft or the published version of a document, in one locale. */
export type VersionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly documentId: AnyPgColumn;
  readonly createdAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly publishedAt: AnyPgColumn;
  /** Exists only if the type is localized. */
  readonly locale?: AnyPgColumn;
};

/** The names and options of a content type. */
export interface ContentTypeInfo {
  readonly uid: Uid;
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  /** By default the name itself. */
  readonly displayName?: string;
  readonly description?: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** How its documents are searched, if by full-text search. */
  readonly search?: Searching;
  /** Whether documents are published and unpublished at a time. */
  readonly schedule?: boolean;
  /** How long versions are kept, if at all: so many per document and locale, or for so many days; `{}` keeps all. */
  readonly history?: { readonly keep?: number; readonly days?: number };
  /** How the panel shows its documents. */
  readonly panel?: TypeLayout;
  /** System fields that are private, by `options.privateAttributes`. */
  readonly privateFields?: readonly string[];
}

/** The attributes of a document without those that every document has. */
export type OwnName<Document> = Exclude<keyof Document & string, keyof DocumentFields | "locale" | "localizations">;

/** The descriptor of a content type: its names, its options, and where each attribute is stored. */
export interface ContentType<Document extends DocumentFields = DocumentFields> extends ContentTypeInfo {
  readonly table: VersionTable;
  readonly attributes: { readonly [Name in OwnName<Document>]-?: Attribute };
}

/** The descriptor as generated files declare it, with tables reduced to their columns; see {@link Columns}. */
export interface ContentTypeDeclaration<Document extends DocumentFields> extends ContentTypeInfo {
  readonly table: Columns<VersionTable>;
  readonly attributes: { readonly [Name in OwnName<Document>]-?: Declared<Attribute> };
}

/** Declares a content type. A missing, misspelt or surplus attribute of `Document` does not compile. */
export const defineContentType = <Document extends DocumentFields>(
  type: ContentTypeDeclaration<Document>,
): ContentType<Document> => type as ContentType<Document>;
