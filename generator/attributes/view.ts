/**
 * What the templates of attributes are filled with: source text, which is "" where there is none, and flags. A template
 * takes what its kind of file says of the attribute.
 */
interface CommonView {
  /** The attribute as the name of a property: `title`. */
  readonly key: string;
  /** The access to that property: `.title`. */
  readonly member: string;
  /** The name as a string: `"title"`. */
  readonly name: string;
  readonly private: boolean;
  readonly localized: boolean;
  readonly readOnly: boolean;
  readonly searchable: boolean;
  readonly required: boolean;
  /** JSON logic; "" where validation is never skipped. */
  readonly condition: string;
  /** How a Zod schema says that the value may be missing: `nullish` or `optional`. */
  readonly absent: string;
  /** What is used where a body names no value. */
  readonly default: string;
  /** Whether answers show the attribute with a value for certain. */
  readonly present: boolean;
  /** In no answer, and in no filter: only bodies may name it. */
  readonly writeOnly: boolean;
  /** Whether GraphQL has a field for it. */
  readonly inGraphql: boolean;
  /** Whether a field of GraphQL says more than its type. */
  readonly fieldOptions: boolean;
}

export interface ScalarView extends CommonView {
  readonly kind: "scalar";
  /** The attribute type as a string: `"uid"`. */
  readonly type: string;
  /** The name of the column, the builder of Drizzle that makes it, and what that takes. */
  readonly column: string;
  readonly builder: string;
  readonly columnOptions: string;
  readonly lookupIndex: boolean;
  readonly uniqueIndex: boolean;
  readonly unique: boolean;
  /** In no answer, whoever asks. */
  readonly secret: boolean;
  /** The Zod schema of any value of the type. */
  readonly schema: string;
  readonly min: string;
  readonly max: string;
  readonly regex: string;
  /** Whether matching it may take exponential time. */
  readonly slow: boolean;
  /** Whether "" passes although it does not match. */
  readonly orEmpty: boolean;
  /** The type of the value in an answer. */
  readonly document: string;
  /** Pothos's own word for the field, such as `exposeString`; "" where the type has to be named. */
  readonly expose: string;
  /** The scalar of GraphQL. */
  readonly graphql: string;
  readonly graphqlEnum: GraphqlEnumView | false;
}

export interface GraphqlEnumView {
  readonly name: string;
  /** Whether other attributes have it too. */
  readonly shared: boolean;
  /** `value` is "" where it is the name. */
  readonly members: readonly { readonly name: string; readonly value: string }[];
}

export interface MediaView extends CommonView {
  readonly kind: "media";
  readonly multiple: boolean;
  /** The kinds of files that it takes; "" for all. */
  readonly allowedTypes: string;
  /** The name of the column, or the constant of the link table. */
  readonly column: string;
  readonly link: string;
  readonly options: string;
}

export interface RelationView extends CommonView {
  readonly kind: "relation";
  readonly relation: string;
  readonly target: string;
  readonly many: boolean;
  /** The name of the column, or the constant of the link table. */
  readonly column: string;
  readonly link: string;
  /** The other columns that a relation may have. */
  readonly type: ColumnView | false;
  readonly position: ColumnView | false;
  /** The attribute of the target for the other side, where the target can have only one such link. */
  readonly inverse: string;
  readonly mappedBy: string;
  readonly morphBy: string;
  readonly options: string;
  /** The interface of what it leads to, and its name in GraphQL. */
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
  /** Whether a list may be empty whatever its lower limit. */
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
  /** The name of the union of GraphQL. */
  readonly union: string;
}

export type AttributeView = ScalarView | MediaView | RelationView | ComponentView | DynamicZoneView;
export type { CommonView };
