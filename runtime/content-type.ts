/**
 * Descriptors: what the generated `type.ts` files declare and what every part of the runtime is driven by.
 * A field that has no entry here cannot be filtered, sorted, populated, written or serialized.
 */
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/** `api::article.article` or `plugin::users-permissions.user`. */
export type Uid = `${string}::${string}.${string}`;

/** `shared.seo`: category and name. */
export type ComponentUid = `${string}.${string}`;

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Rich text as a tree of nodes. */
export type Blocks = readonly BlockNode[];
/** A node of rich text, such as a paragraph, and what belongs to its kind. */
export interface BlockNode {
  readonly type: string;
  readonly children?: readonly BlockNode[];
  readonly [key: string]: unknown;
}

/** What every document carries on the wire. Instants are ISO 8601 in UTC with milliseconds. */
export interface DocumentFields {
  id: number;
  documentId: string;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
}

/** A document that a polymorphic relation leads to; `__type` says which type it is of. */
export interface MorphDocument extends DocumentFields {
  __type: Uid;
}

/** What every component entry carries. */
export interface ComponentFields {
  id: number;
}

/** The entries of a dynamic zone, of the components in `Entries`; each says which one it is of. */
export type DynamicZone<Entries extends object> = {
  [Name in keyof Entries]: Entries[Name] & { __component: Name };
}[keyof Entries][];

/** An uploaded file as the wire shows it. */
export interface File extends DocumentFields {
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint: Json;
  width: number | null;
  height: number | null;
  formats: Json;
  hash: string;
  ext: string | null;
  mime: string;
  size: number;
  url: string;
  previewUrl: string | null;
  provider: string;
  provider_metadata: Json;
}

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

/** The kinds of relations, as schema files name them. `morph` ones lead to documents of any type. */
export type RelationKind =
  | "oneToOne"
  | "oneToMany"
  | "manyToOne"
  | "manyToMany"
  | "morphToOne"
  | "morphToMany"
  | "morphOne"
  | "morphMany";

/** What a media attribute may be limited to. */
export type MediaKind = "images" | "videos" | "files" | "audios";

interface Flags {
  readonly required?: true;
  /** Never in an answer, and no query parameter may name it; bodies may write it. */
  readonly private?: true;
  /** The value differs per locale. Relations and uids always do; see {@link isLocalized}. */
  readonly localized?: true;
  /** `false`: bodies may not write it. */
  readonly writable?: false;
}

/** A field as components have it: what it is, without where it is stored. */
export type ScalarField = Flags & {
  readonly type: ScalarType;
  readonly unique?: true;
  /** `false`: left out of `_q`. */
  readonly searchable?: false;
  /** The values of an enumeration. */
  readonly enum?: readonly string[];
  /** The name of an enumeration's GraphQL type, where the schema sets one. */
  readonly enumName?: string;
  /** The attribute that a uid is derived from. */
  readonly targetField?: string;
};
/** Files: one, or with `multiple` an ordered list. */
export type MediaField = Flags & {
  readonly type: "media";
  readonly multiple?: true;
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

/** The column holds the documentId of the target; `inverse` names the attribute of the target that sees this one. */
export type ToOneRelation = Relation<"oneToOne" | "manyToOne"> &
  InColumn & {
    readonly target: Uid;
    readonly inverse?: string;
    /** Where this version stands in the inverse side's list; there when the inverse is to-many. */
    readonly inversePosition?: AnyPgColumn;
  };
/** The link table leads to the targets. */
export type ToManyRelation = Relation<"oneToMany" | "manyToMany"> & {
  readonly target: Uid;
  readonly inverse?: string;
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

/** A table of versions: rows that are the draft or published state of a document, in one locale. */
export type VersionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly documentId: AnyPgColumn;
  readonly createdAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly publishedAt: AnyPgColumn;
  /** There exactly when the type is localized. */
  readonly locale?: AnyPgColumn;
};

/** The descriptor of a content type: what it is called, what it can do, and where each attribute is stored. */
export interface ContentType<Document extends DocumentFields = DocumentFields> {
  readonly uid: Uid;
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** System fields that this type hides, by `options.privateAttributes`. */
  readonly privateFields?: readonly string[];
  readonly table: VersionTable;
  readonly attributes: {
    readonly [Name in Exclude<keyof Document, keyof DocumentFields | "locale" | "localizations">]-?: Attribute;
  };
}

/** The descriptor of a component. It has no table: entries live in the rows of the types that use it. */
export interface Component<Entry extends ComponentFields = ComponentFields> {
  readonly uid: ComponentUid;
  readonly displayName: string;
  readonly attributes: { readonly [Name in Exclude<keyof Entry, keyof ComponentFields>]-?: Field };
}

/** Content types by uid: generated code adds a line for each, so that uids are known to the compiler. */
export interface ContentTypes {}

/** Ties the attributes of `Document` to columns: a missing, misspelt or surplus attribute does not compile. */
export const defineContentType = <Document extends DocumentFields>(
  type: ContentType<Document>,
): ContentType<Document> => type;

/** The same for a component, whose values live as JSON in the row of the version that owns them. */
export const defineComponent = <Entry extends ComponentFields>(component: Component<Entry>): Component<Entry> =>
  component;
