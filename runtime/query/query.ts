/**
 * The checked query: plain data in which every name exists and the caller may use it. Values are kept separately in
 * `parameters`, and conditions refer to them by index. So the query without its values is a shape; plans are compiled
 * and cached per shape.
 */
import type { TextMatch } from "../base/filter-operators.ts";
import type { Parameter } from "../database/database.ts";
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { Status } from "../schema/document.ts";
import type { PublicationFilter } from "../schema/publication-filter.ts";
import type { Anchor } from "./cursor/cursors.ts";

/** The index of a value in {@link CheckedQuery.parameters}. */
export type Slot = number;

export type Condition =
  | { readonly kind: "and" | "or"; readonly items: readonly Condition[] }
  | { readonly kind: "not"; readonly item: Condition }
  | { readonly kind: "null"; readonly field: string }
  /** A comparison with null: neither true nor false. */
  | { readonly kind: "unknown" }
  | {
      readonly kind: "compare";
      readonly field: string;
      readonly operator: "=" | "<>" | ">" | ">=" | "<" | "<=";
      readonly value: Slot;
    }
  | { readonly kind: "in"; readonly field: string; readonly values: Slot }
  | { readonly kind: "between"; readonly field: string; readonly from: Slot; readonly to: Slot }
  | {
      readonly kind: "text";
      readonly field: string;
      readonly match: TextMatch;
      readonly insensitive: boolean;
      readonly value: Slot;
    }
  | { readonly kind: "superset"; readonly field: string; readonly value: Slot }
  /** Whether the related row meets the condition. If there is none, a row of nulls is checked instead. */
  | {
      readonly kind: "related";
      readonly name: string;
      readonly status: AnyStatus;
      readonly item: Condition;
      /** Whether it may lead to several documents. */
      readonly many?: boolean;
    }
  /** Whether a dynamic zone has an entry of these components that meets the condition, if one is given. */
  | {
      readonly kind: "zone";
      readonly name: string;
      readonly components: Slot;
      readonly component?: ComponentUid;
      readonly item?: Condition | undefined;
    }
  | { readonly kind: "search"; readonly pattern: Slot; readonly numbers: boolean; readonly deep: boolean }
  /**
   * Full-text search; `locales` are those of the query, if the type is localized. `typos` says whether words may have
   * one, and `hits` is what an engine outside has found.
   */
  | WordSearch;

export interface WordSearch {
  readonly kind: "words";
  readonly words: Slot;
  readonly locales: readonly Slot[];
  readonly typos?: Slot;
  readonly hits?: Slot;
}

/** The parts of a composite condition. */
export const partsOf = (condition: Condition): readonly Condition[] => {
  if ("items" in condition) return condition.items;
  return "item" in condition && condition.item ? [condition.item] : [];
};

/** One attribute on the path to a sorted scalar, and the versions to use of its target. */
export interface SortStep {
  readonly name: string;
  readonly status: AnyStatus;
  /** Whether it may lead to several documents. */
  readonly many?: boolean;
}

export interface SortKey {
  /** The attributes on the path to the scalar. */
  readonly path: readonly SortStep[];
  readonly descending: boolean;
}

export type Cohort =
  | PublicationFilter
  /** The published version, or the draft if there is none; only code can ask for it. */
  | "newest";

/**
 * Which versions are read. `either` is for filters through a type without draft & publish, and for publication filters.
 */
export type AnyStatus = Status | "either";

/** What to show of one type or component. */
export interface Level {
  readonly uid: Uid | ComponentUid;
  /** Names of the scalars to show, in response order. */
  readonly fields: readonly string[];
  /** The populated attributes, in the order of the request. */
  readonly populate: readonly Populate[];
}

/**
 * What to show of one component in a zone, or of one type behind a relation to any type, for entries that meet
 * `filters`.
 */
export interface ZoneLevel extends Level {
  readonly filters: Condition | undefined;
}

export interface MorphLevel extends ZoneLevel {
  readonly uid: Uid;
  readonly status: AnyStatus;
  readonly cohort: Cohort | undefined;
  /** Whether links to one version may lead to a draft although published versions are read. */
  readonly anyVersion: boolean;
}

interface Narrowed {
  readonly filters: Condition | undefined;
  readonly sort: readonly SortKey[];
}

/** A part of a list. */
export interface Window {
  readonly start: number;
  readonly limit: number;
}

/** How to show an attribute that has another name, or only part of its list. */
interface Shown {
  readonly as?: string;
  readonly window?: Window;
}

export type Populate = Shown & Populated;

type Populated =
  | (Narrowed & {
      readonly kind: "relation";
      readonly name: string;
      readonly target: Uid;
      readonly level: Level;
      readonly status: AnyStatus;
      readonly cohort: Cohort | undefined;
      /** Whether a document that lacks the wanted locale is shown in another, as in version 4. */
      readonly anyLocale: boolean;
      readonly count: boolean;
    })
  /** A relation to documents of any type. Documents of types without a level here are not shown. */
  | {
      readonly kind: "morph";
      readonly name: string;
      readonly levels: readonly MorphLevel[];
      readonly count: boolean;
    }
  | (Narrowed & { readonly kind: "component"; readonly name: string; readonly level: Level; readonly count: boolean })
  /** A dynamic zone. Entries of components without a level here are not shown. */
  | { readonly kind: "zone"; readonly name: string; readonly levels: readonly ZoneLevel[]; readonly count: boolean };

/**
 * Which locales of a localized type to read. `slot` refers to one locale code or, otherwise, to a list. For `first`,
 * each document is read in the first of them that it has, and so are documents behind relations.
 */
export type LocaleScope =
  | { readonly kind: "one"; readonly slot: Slot }
  | { readonly kind: "first"; readonly slot: Slot }
  | { readonly kind: "some"; readonly slot: Slot }
  | { readonly kind: "all" };

/** A list read with cursors: from its beginning, or after an entry with these kinds of sort values. */
export interface Walk {
  readonly from: "beginning" | readonly ("value" | "null" | "digest")[];
}

/** An attribute whose values are counted; `status` is that of the versions behind a relation. */
export interface Facet {
  readonly name: string;
  readonly status: AnyStatus | undefined;
}

export interface Shape {
  readonly level: Level & { readonly uid: Uid };
  readonly status: AnyStatus;
  readonly locale: LocaleScope;
  readonly filters: Condition | undefined;
  readonly search: Condition | undefined;
  readonly cohort: Cohort | undefined;
  readonly sort: readonly SortKey[];
  /** Whether the list is sorted by score, the best match first. */
  readonly byScore?: boolean | undefined;
  readonly walk?: Walk | undefined;
  readonly facets?: readonly Facet[] | undefined;
  /** Whether the part of each text in which words were found is wanted. */
  readonly snippets?: boolean | undefined;
}

/** What the cursors of a list are bound to, and the entry after which a page begins; undefined for the first page. */
export interface CursorList {
  readonly list: string;
  readonly anchor: Anchor | undefined;
}

export interface Page {
  readonly start: number;
  readonly limit: number;
  /** The form of pagination that the request used, and the response repeats. */
  readonly style: "page" | "offset";
  readonly page: number;
  readonly withCount: boolean;
  /** The cursor after which the page begins, as given; an empty one for the first page. */
  readonly after?: string;
}

export type QueryParam = "filters" | "sort" | "fields" | "populate" | "facets" | "_q";

/** A query parameter, and the path of attributes in it. */
export interface QueryPath {
  readonly param: QueryParam;
  readonly path: string | null;
  /** The number of to-many relations on the path. */
  readonly steps?: number;
}

/** The maximum cost that PostgreSQL may estimate for a statement. */
export interface CostLimit {
  readonly most: number;
  /** The last to-many relation that the query follows in a filter or sort. */
  readonly at: QueryPath;
  /** The embedded database, which does not refresh its statistics by itself. */
  readonly embedded?: object | undefined;
}

export interface CheckedQuery {
  readonly shape: Shape;
  /** The shape as text: queries with equal keys have equal plans. */
  readonly key: string;
  readonly parameters: readonly Parameter[];
  readonly page: Page;
  /** For lists read with cursors. */
  readonly cursor?: CursorList | undefined;
  /** Set if filters or sorts follow to-many relations. */
  readonly costLimit?: CostLimit | undefined;
}
