/** What code may ask for by `filters` and `sort`, to any depth. */
import type { Asker, DirectLinkName, KindName, PrivateName, Revealed, Target, ValueName } from "./names.ts";

type OneOrMany<Value> = Value | readonly Value[];

/** Comparisons of a value. If there are several, all must match. */
export interface Comparisons<Value> {
  readonly $eq?: OneOrMany<Value | null>;
  readonly $ne?: OneOrMany<Value | null>;
  readonly $in?: OneOrMany<Value | null>;
  readonly $notIn?: OneOrMany<Value | null>;
  readonly $gt?: OneOrMany<Value>;
  readonly $gte?: OneOrMany<Value>;
  readonly $lt?: OneOrMany<Value>;
  readonly $lte?: OneOrMany<Value>;
  readonly $between?: readonly [Value, Value];
  readonly $null?: boolean;
  readonly $notNull?: boolean;
  readonly $not?: ValueFilter<Value>;
}

/** Comparisons of a text. */
export interface TextComparisons<Value> extends Comparisons<Value> {
  readonly $eqi?: OneOrMany<string>;
  readonly $nei?: OneOrMany<string>;
  readonly $contains?: OneOrMany<string>;
  readonly $notContains?: OneOrMany<string>;
  readonly $containsi?: OneOrMany<string>;
  readonly $notContainsi?: OneOrMany<string>;
  readonly $startsWith?: OneOrMany<string>;
  readonly $startsWithi?: OneOrMany<string>;
  readonly $endsWith?: OneOrMany<string>;
  readonly $endsWithi?: OneOrMany<string>;
}

/** Comparisons of what is stored as JSON. */
export interface JsonComparisons {
  readonly $null?: boolean;
  readonly $notNull?: boolean;
  readonly $containsi?: OneOrMany<string>;
  readonly $notContainsi?: OneOrMany<string>;
  readonly $jsonSupersetOf?: unknown;
}

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
