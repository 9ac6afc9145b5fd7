/**
 * Descriptors: what the generated `type.ts` files declare and what every part of the runtime is driven by.
 * A field that has no entry here cannot be filtered, sorted, populated, written or serialized.
 */
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Attribute, Columns, Declared, Field } from "./attribute.ts";
import type { ComponentFields, ComponentUid, DocumentFields, Uid } from "./document.ts";

export type {
  Attribute,
  Columns,
  ComponentAttribute,
  ComponentField,
  Declared,
  DocumentLinkTable,
  DynamicZoneAttribute,
  DynamicZoneField,
  Field,
  FileLinkTable,
  InverseRelation,
  LinkTable,
  MediaAttribute,
  MediaField,
  MediaKind,
  MorphInverseRelation,
  MorphLinkTable,
  MorphToManyRelation,
  MorphToOneRelation,
  RelationAttribute,
  RelationField,
  ScalarAttribute,
  ScalarField,
  ScalarType,
  ToManyRelation,
  ToOneRelation,
} from "./attribute.ts";
export type { RelationKind } from "./relation-kind.ts";
export type {
  BlockNode,
  Blocks,
  CodeNode,
  ComponentFields,
  ComponentUid,
  ContentTypes,
  DocumentFields,
  DynamicZone,
  File,
  FileFormat,
  HeadingNode,
  ImageNode,
  InlineNode,
  Json,
  LinkNode,
  ListItemNode,
  ListNode,
  MorphDocument,
  ParagraphNode,
  QuoteNode,
  TextNode,
  Private,
  Uid,
} from "./document.ts";

/** A table of versions: rows that are the draft or the published version of a document, in one locale. */
export type VersionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly documentId: AnyPgColumn;
  readonly createdAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly publishedAt: AnyPgColumn;
  /** There exactly when the type is localized. */
  readonly locale?: AnyPgColumn;
};

/** What a content type is called and can do. */
export interface ContentTypeInfo {
  readonly uid: Uid;
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** System fields that this type hides, by `options.privateAttributes`. */
  readonly privateFields?: readonly string[];
}

/** The attributes of a document that are its own: not those that every document has. */
export type OwnName<Document> = Exclude<keyof Document & string, keyof DocumentFields | "locale" | "localizations">;

/** The descriptor of a content type: what it is called, what it can do, and where each attribute is stored. */
export interface ContentType<Document extends DocumentFields = DocumentFields> extends ContentTypeInfo {
  readonly table: VersionTable;
  readonly attributes: { readonly [Name in OwnName<Document>]-?: Attribute };
}

/** The same as generated files write it: tables count by their columns, see {@link Columns}. */
export interface ContentTypeDeclaration<Document extends DocumentFields> extends ContentTypeInfo {
  readonly table: Columns<VersionTable>;
  readonly attributes: { readonly [Name in OwnName<Document>]-?: Declared<Attribute> };
}

/** The descriptor of a component. It has no table: entries live in the rows of the types that use it. */
export interface Component<Entry extends ComponentFields = ComponentFields> {
  readonly uid: ComponentUid;
  readonly attributes: { readonly [Name in Exclude<keyof Entry, keyof ComponentFields>]-?: Field };
}

/** Ties the attributes of `Document` to columns: a missing, misspelt or surplus attribute does not compile. */
export const defineContentType = <Document extends DocumentFields>(
  type: ContentTypeDeclaration<Document>,
): ContentType<Document> => type as ContentType<Document>;

/** The same for a component, whose values live as JSON in the row of the version that owns them. */
export const defineComponent = <Entry extends ComponentFields>(component: Component<Entry>): Component<Entry> =>
  component;
