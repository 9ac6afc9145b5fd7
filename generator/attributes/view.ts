/**
 * The view models for attribute templates: source text, "" if there is none, and flags. Each template takes what its
 * kind of file needs.
 */
interface CommonView {
  /** The attribute as the name of a property: `title`. */
  readonly key: string;
  /** The property access: `.title`. */
  readonly member: string;
  /** The name as a string: `"title"`. */
  readonly name: string;
  readonly private: boolean;
  readonly localized: boolean;
  readonly readOnly: boolean;
  readonly searchable: boolean;
  readonly required: boolean;
  /** JSON logic; "" if validation is never skipped. */
  readonly condition: string;
  /** How the Zod schema marks the value as optional: `nullish` or `optional`. */
  readonly absent: string;
  /** The value if a body omits it. */
  readonly default: string;
  /** Whether answers always show a value. */
  readonly present: boolean;
  /** In no answer and no filter: only request bodies may contain it. */
  readonly writeOnly: boolean;
  /** Whether GraphQL has a field for it. */
  readonly inGraphql: boolean;
  /** Whether its GraphQL field has more than a type. */
  readonly fieldOptions: boolean;
}

export interface ScalarView extends CommonView {
  readonly kind: "scalar";
  /** The attribute type as a string: `"uid"`. */
  readonly type: string;
  /** The column's name, its Drizzle builder, and the builder's arguments. */
  readonly column: string;
  readonly builder: string;
  readonly columnOptions: string;
  readonly lookupIndex: boolean;
  readonly uniqueIndex: boolean;
  readonly unique: boolean;
  /** In no answer, for any client. */
  readonly secret: boolean;
  /** The Zod schema for any value of the type. */
  readonly schema: string;
  readonly min: string;
  readonly max: string;
  readonly regex: string;
  /** Whether matching it may take exponential time. */
  readonly slow: boolean;
  /** Whether "" is accepted although it does not match. */
  readonly orEmpty: boolean;
  /** The type of the value in an answer. */
  readonly document: string;
  /** The Pothos shorthand for the field, such as `exposeString`; "" if the type must be named. */
  readonly expose: string;
  /** The GraphQL scalar. */
  readonly graphql: string;
  readonly graphqlEnum: GraphqlEnumView | false;
}

export interface GraphqlEnumView {
  readonly name: string;
  /** Whether other attributes share it. */
  readonly shared: boolean;
  /** `value` is "" if it equals the name. */
  readonly members: readonly { readonly name: string; readonly value: string }[];
}

export interface MediaView extends CommonView {
  readonly kind: "media";
  readonly multiple: boolean;
  /** The accepted kinds of files; "" for all. */
  readonly allowedTypes: string;
  /** The column's name, or the link table's constant. */
  readonly column: string;
  readonly link: string;
  readonly options: string;
}

export interface RelationView extends CommonView {
  readonly kind: "relation";
  readonly relation: string;
  readonly target: string;
  readonly many: boolean;
  /** The column's name, or the link table's constant. */
  readonly column: string;
  readonly link: string;
  /** The other columns that a relation may have. */
  readonly type: ColumnView | false;
  readonly position: ColumnView | false;
  /** The target's attribute for the other side, if the target can have only one such link. */
  readonly inverse: string;
  readonly mappedBy: string;
  readonly morphBy: string;
  readonly options: string;
  /** The target's interface, and its GraphQL name. */
  readonly document: string;
  readonly graphql: string;
}

export interface ColumnView {
  readonly key: string;
  readonly member: string;
  readonly column: string;
}

interface ListView extends CommonView {
  readonly column: string;
  readonly min: string;
  readonly max: string;
  /** Whether a list may be empty whatever its minimum. */
  readonly orEmpty: boolean;
}

export interface ComponentView extends ListView {
  readonly kind: "component";
  readonly component: string;
  readonly repeatable: boolean;
  readonly schema: string;
  readonly document: string;
  readonly graphql: string;
}

export interface DynamicZoneView extends ListView {
  readonly kind: "dynamiczone";
  readonly components: readonly {
    readonly uid: string;
    readonly entry: string;
    readonly document: string;
    readonly graphql: string;
  }[];
  /** The name of the GraphQL union. */
  readonly union: string;
}

export type AttributeView = ScalarView | MediaView | RelationView | ComponentView | DynamicZoneView;
export type { CommonView };
