/** What `filters` and `sort` may contain, to any depth. */
import type { Operator, OPERATORS, OperatorWhere } from "../../base/filter-operators.ts";
import type {
  Asker,
  ComponentOf,
  DirectLinkName,
  EntryOf,
  KindName,
  PrivateName,
  Revealed,
  Target,
  ValueName,
  ZoneName,
} from "./names.ts";

type OneOrMany<Value> = Value | readonly Value[];

/** What an operator that compares a value takes. */
interface Operands<Value> {
  readonly orNull: OneOrMany<Value | null>;
  readonly value: OneOrMany<Value>;
  readonly list: OneOrMany<Value | null>;
  readonly pair: readonly [Value, Value];
  readonly text: OneOrMany<string>;
  readonly flag: boolean;
  readonly filter: ValueFilter<Value>;
  readonly json: unknown;
}

/** The operators of some names, each with what it takes. */
type Comparing<Names extends Operator, Value> = {
  readonly [Name in Names]?: Operands<Value>[(typeof OPERATORS)[Name]["takes"]];
};

/** Comparisons of a value. If there are several, all must match. */
export type Comparisons<Value> = Comparing<OperatorWhere<{ compares: "any" | "order" }>, Value>;

/** Comparisons of a text. */
export type TextComparisons<Value> = Comparing<OperatorWhere<{ compares: "any" | "order" | "text" }>, Value>;

/** Comparisons of what is stored as JSON. */
export type JsonComparisons = Comparing<
  OperatorWhere<{ compares: "json" }> | "$null" | "$notNull" | "$containsi" | "$notContainsi",
  unknown
>;

/** A filter on a value: an equal value, a list that contains it, or comparisons. */
export type ValueFilter<Value> = [Value] extends [string]
  ? Value | null | readonly (Value | null)[] | TextComparisons<Value>
  : [Value] extends [number | boolean]
    ? Value | null | readonly (Value | null)[] | Comparisons<Value>
    : null | JsonComparisons;

/** Conditions on a document or component entry; all must match. */
export type Filters<Shape, By extends Asker = "application"> = {
  readonly [Key in Exclude<ValueName<Shape>, KindName>]?: ValueFilter<NonNullable<Shape[Key]>>;
} & {
  readonly [Key in PrivateName<Shape, By>]?: ValueFilter<NonNullable<Revealed<Shape[Key]>>>;
} & {
  readonly [Key in DirectLinkName<Shape>]?: LinkFilter<Target<Shape[Key]>, By>;
} & FilterGroups<Shape, By>;

/** Conditions joined by other operators than "and". */
export interface FilterGroups<Shape, By extends Asker = "application"> {
  readonly $and?: readonly Filters<Shape, By>[];
  readonly $or?: readonly Filters<Shape, By>[];
  readonly $not?: Filters<Shape, By>;
}

/** Conditions on the target of a link. Documents and files can also be compared by row `id`. */
type LinkFilter<Item, By extends Asker> = "documentId" extends keyof Item
  ? Filters<Item, By> | ValueFilter<number>
  : Filters<Item, By> | Presence | null;

/** Whether there is an entry. */
interface Presence {
  readonly $null?: boolean;
  readonly $notNull?: boolean;
}

/** Conditions on a zone: on the entries of a component, by its uid, and on which components there are. */
export type ZoneFilter<Entry, By extends Asker = "application"> = {
  readonly [Uid in ComponentOf<Entry>]?: Filters<EntryOf<Entry, Uid>, By>;
} & {
  readonly __component?: ComponentFilter<ComponentOf<Entry>>;
  readonly $and?: readonly ZoneFilter<Entry, By>[];
  readonly $or?: readonly ZoneFilter<Entry, By>[];
  readonly $not?: ZoneFilter<Entry, By>;
};

type ComponentFilter<Uid> =
  | OneOrMany<Uid>
  | (Presence & { readonly [Key in "$eq" | "$ne" | "$in" | "$notIn"]?: OneOrMany<Uid> });

/**
 * Filters that reach into zones, where `search.zoneFilters` is on. They are filters as well, of a type of their own:
 * compilers would take twice as long if all had this one.
 */
export type ZoneFilters<Shape, By extends Asker = "application"> = Filters<Shape, By> & {
  readonly [Key in ZoneName<Shape>]?: ZoneFilter<Target<Shape[Key]>, By>;
};

/** The direction of an order. */
export type Direction = "asc" | "desc" | "ASC" | "DESC";

/** Names of values that can be sorted by. */
type SortName<Shape, By extends Asker> = Exclude<ValueName<Shape>, KindName> | PrivateName<Shape, By>;

/** A sort by names, or by names within the targets of links. */
export type SortObject<Shape, By extends Asker = "application"> = {
  readonly [Key in SortName<Shape, By>]?: Direction;
} & {
  readonly [Key in DirectLinkName<Shape>]?: SortObject<Target<Shape[Key]>, By>;
};

/** The name of a value, optionally with a colon and a direction; ascending by default. */
export type SortText<Shape, By extends Asker = "application"> =
  | SortName<Shape, By>
  | `${SortName<Shape, By>}:${"asc" | "desc"}`;

/** A sort by one or more keys; each further key orders items that are equal by the keys before it. */
export type Sort<Shape, By extends Asker = "application"> =
  | SortText<Shape, By>
  | readonly SortText<Shape, By>[]
  | SortObject<Shape, By>
  | readonly SortObject<Shape, By>[];
