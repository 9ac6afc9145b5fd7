/**
 * The resolved model: plain readonly data including all derived names, built from the schema files by `build.ts` and
 * read by every emitter. Prints as JSON (`cms generate --print-model`).
 */

import type { ScalarType } from "../../runtime/base/scalar-form.ts";
import type { RelationKind } from "../../runtime/schema/field.ts";
import type { ComponentLayout, TypeLayout } from "../../runtime/schema/layout.ts";
import type { ComponentNames, ContentTypeNames } from "./assign-names.ts";

export interface Model {
  /** Sorted by uid, code unit by code unit. */
  readonly contentTypes: readonly ContentType[];
  readonly components: readonly Component[];
}

export interface ContentType {
  readonly uid: string;
  /** The schema file, relative to the root, with forward slashes; undefined for a built-in type that nobody extends. */
  readonly file: string | undefined;
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string | undefined;
  readonly draftAndPublish: boolean;
  /** Whether documents can be scheduled for publishing and unpublishing. */
  readonly schedule: boolean;
  /** Its full text search configuration; undefined if it is not searched. */
  readonly search: SearchOptions | undefined;
  /** The retention of its versions; undefined if they are not kept. */
  readonly history: { readonly keep?: number | undefined; readonly days?: number | undefined } | undefined;
  /** How the panel shows it; undefined leaves all of that to the panel. */
  readonly panel: TypeLayout | undefined;
  readonly localized: boolean;
  /** System fields hidden by `options.privateAttributes`; attributes that it names are themselves private. */
  readonly privateFields: readonly string[];
  /** The singularName before a rename, from `info.renamedFrom`. */
  readonly renamedFrom: string | undefined;
  /** Its `extension.ts`, relative to the root, with forward slashes. */
  readonly extension: string | undefined;
  readonly names: ContentTypeNames;
  /** In the order of the schema file. */
  readonly attributes: readonly Attribute[];
}

/** The language of a type without locales, and the weights of attributes. */
export interface SearchOptions {
  readonly language?: string | undefined;
  readonly weights?: Readonly<Record<string, "A" | "B" | "C" | "D">> | undefined;
}

export interface Component {
  readonly uid: string;
  readonly file: string;
  readonly category: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string | undefined;
  readonly panel: ComponentLayout | undefined;
  readonly renamedFrom: string | undefined;
  readonly names: ComponentNames;
  readonly attributes: readonly Attribute[];
}

interface AttributeBase {
  readonly name: string;
  /** The name before a rename, from the attribute's `renamedFrom`. */
  readonly renamedFrom: string | undefined;
  /** The SQL expression for the new values when the type changes. */
  readonly convert: string | undefined;
  readonly required: boolean;
  readonly private: boolean;
  readonly localized: boolean;
  readonly writable: boolean;
  /** Whether `_q` searches it. */
  readonly searchable: boolean;
  /** JSON logic over sibling attributes; validation is skipped while it is false. */
  readonly condition: unknown;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: "scalar";
  readonly type: ScalarType;
  readonly column: string;
  readonly unique: boolean;
  /** Undefined if the schema has none; null is a default too. */
  readonly default: unknown;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Numbers, or digits as a text for a biginteger. */
  readonly min: number | string | undefined;
  readonly max: number | string | undefined;
  /** Source of the regular expression. */
  readonly regex: string | undefined;
  readonly enum: readonly string[] | undefined;
  readonly enumName: string | undefined;
  /** Old values by new, for renames. */
  readonly renamedValues: Readonly<Record<string, string>> | undefined;
  /** The GraphQL enum and its members, which differ from values that are invalid GraphQL names. */
  readonly graphqlEnum: GraphqlEnum | undefined;
  readonly targetField: string | undefined;
}

export interface GraphqlEnum {
  /** `ENUM_ARTICLE_KIND`. */
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly value: string }[];
}

export interface MediaAttribute extends AttributeBase {
  readonly kind: "media";
  readonly multiple: boolean;
  readonly allowedTypes: readonly string[] | undefined;
  /** Whether `_q` searches the texts of the files. */
  readonly searched: boolean;
  readonly storage: ColumnStorage | LinkStorage | undefined;
}

export interface ComponentAttribute extends AttributeBase {
  readonly kind: "component";
  readonly component: string;
  readonly repeatable: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly column: string;
  /** Whether an index answers filters on the entries. */
  readonly index: boolean;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly kind: "dynamiczone";
  readonly components: readonly string[];
  /** The GraphQL union: `ArticleSectionsDynamicZone`. */
  readonly graphqlUnion: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly column: string;
  readonly index: boolean;
}

export interface RelationAttribute extends AttributeBase {
  readonly kind: "relation";
  readonly relation: RelationKind;
  /** Undefined for morphToOne and morphToMany. */
  readonly target: string | undefined;
  readonly many: boolean;
  /** The GraphQL union of a morphToOne or morphToMany: `ArticleSubjectMorph`. */
  readonly graphqlUnion: string | undefined;
  /** Undefined inside components, whose relations are stored in their JSON. */
  readonly storage: ColumnStorage | LinkStorage | InverseStorage | undefined;
  /** The target's attribute for the other side of this relation. */
  readonly inverse: string | undefined;
}

export interface ColumnStorage {
  readonly kind: "column";
  /** `author_document_id`, `cover_id`. */
  readonly column: string;
  /** `author_position`, which exists if the inverse side is an ordered list. */
  readonly positionColumn: string | undefined;
  /** Its key in the Drizzle table, different from every attribute: `authorPosition`. */
  readonly positionKey: string | undefined;
  /** `subject_type`, of a morphToOne. */
  readonly typeColumn: string | undefined;
  /** Its key in the Drizzle table: `subjectType`. */
  readonly typeKey: string | undefined;
}

export interface LinkStorage {
  readonly kind: "link";
  /** Name of the link table in the database: `articles_categories`. */
  readonly table: string;
  /** The Drizzle table: `articlesCategories`. */
  readonly tableConst: string;
  /** Its relations: `articlesCategoriesRelations`. */
  readonly relationsConst: string;
  /** Whether the other side shows the link in an ordered list of its own. */
  readonly inverseOrdered: boolean;
}

/** Stored by the attribute `by` of the target. */
export interface InverseStorage {
  readonly kind: "inverse";
  readonly by: string;
}

export type Attribute =
  | ScalarAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute
  | RelationAttribute;
