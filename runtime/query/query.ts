/**
 * The checked query: plain data in which every name is known to exist and to be open to the caller.
 * Values stand apart in `parameters`, and conditions refer to them by index, so that a query printed without them is
 * its shape: what a plan is compiled and cached by.
 */
import type { Parameter } from "../database/database.ts";
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { Status } from "../schema/document.ts";
import type { PublicationFilter } from "../schema/typed/index.ts";

/** The index of a value in {@link CheckedQuery.parameters}. */
export type Slot = number;

export type TextMatch = "contains" | "startsWith" | "endsWith" | "equals";

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
  /** What the attribute leads to meets the condition; where it leads to nothing, a row of nulls has to meet it. */
  | { readonly kind: "related"; readonly name: string; readonly status: AnyStatus; readonly item: Condition }
  | { readonly kind: "search"; readonly pattern: Slot; readonly numbers: boolean };

/** One attribute on the way to a sorted scalar, and the versions that it leads to. */
export interface SortStep {
  readonly name: string;
  readonly status: AnyStatus;
}

export interface SortKey {
  /** Attributes down to a scalar. */
  readonly path: readonly SortStep[];
  readonly descending: boolean;
}

export type Cohort =
  | PublicationFilter
  /** What is published, and drafts of what never was; asked for by code only. */
  | "newest";

/** Which versions are read. `either` is for filters that pass through a type without draft & publish, and for cohorts. */
export type AnyStatus = Status | "either";

/** What is shown of one type or component. */
export interface Level {
  readonly uid: Uid | ComponentUid;
  /** Names of the scalars that are shown, in the order of the answer. */
  readonly fields: readonly string[];
  /** In the order in which they were asked for. */
  readonly populate: readonly Populate[];
}

/** What is shown of one component in a zone, or of one type behind a relation to any type, where it meets `filters`. */
export interface ZoneLevel extends Level {
  readonly filters: Condition | undefined;
}

export interface MorphLevel extends ZoneLevel {
  readonly uid: Uid;
  readonly status: AnyStatus;
  readonly cohort: Cohort | undefined;
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

/** How an attribute is shown where that differs from its name and its whole list. */
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
      readonly count: boolean;
    })
  /** A relation to documents of any type: those of types without a level here are not shown. */
  | {
      readonly kind: "morph";
      readonly name: string;
      readonly levels: readonly MorphLevel[];
      readonly count: boolean;
    }
  | (Narrowed & { readonly kind: "component"; readonly name: string; readonly level: Level; readonly count: boolean })
  /** Entries of components without a level here are not shown. */
  | { readonly kind: "zone"; readonly name: string; readonly levels: readonly ZoneLevel[]; readonly count: boolean };

/** Which locales of a localized type are read: `slot` holds one code or, for `some`, a list. */
export type LocaleScope =
  | { readonly kind: "one"; readonly slot: Slot }
  | { readonly kind: "some"; readonly slot: Slot }
  | { readonly kind: "all" };

export interface Shape {
  readonly level: Level & { readonly uid: Uid };
  readonly status: AnyStatus;
  readonly locale: LocaleScope;
  readonly filters: Condition | undefined;
  readonly search: Condition | undefined;
  readonly cohort: Cohort | undefined;
  readonly sort: readonly SortKey[];
}

export interface Page {
  readonly start: number;
  readonly limit: number;
  /** Which form of paging was asked for, and is answered. */
  readonly style: "page" | "offset";
  readonly page: number;
  readonly withCount: boolean;
}

export interface CheckedQuery {
  readonly shape: Shape;
  /** The shape as text: equal texts have equal plans. */
  readonly key: string;
  readonly parameters: readonly Parameter[];
  readonly page: Page;
}
