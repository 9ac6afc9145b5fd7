/** How values that hold components change: plain data that `print-json.ts` prints as SQL. */

import type { Pair } from "../names/pairings.ts";

/** Calls a function that `cms migrate` makes with the value and more SQL. */
export interface Call {
  readonly kind: "call";
  /** Without the prefix `galley_`: see `runtime/database/migrations/entry-functions.ts`. */
  readonly name: string;
  readonly more: readonly string[];
}

/** The changes to one value, in order. */
export type ValueStep =
  /** Rewrites a single entry, each entry of a list, or the entries of one component in a zone. */
  | { readonly kind: "entry" | "each" | "eachOf"; readonly entry: Pair }
  | Call
  /** Turns a list into its first value. */
  | { readonly kind: "first" | "empty" }
  /** An SQL expression. */
  | { readonly kind: "sql"; readonly value: string };

/** Fields with the SQL of their JSON. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The changes to a component entry, in order. */
export type EntryStep =
  /** Replaces a field that has a value. */
  | { readonly kind: "change"; readonly field: string; readonly steps: readonly ValueStep[] }
  | Call
  /** Adds fields, or fills them with values from elsewhere. */
  | { readonly kind: "add"; readonly fields: Fields }
  /** The same in the single component in a field, which is created if there is none. */
  | { readonly kind: "fill"; readonly field: string; readonly fields: Fields };

export interface EntryChange {
  /** The component, identified by its uids. One function rewrites its entries. */
  readonly entry: Pair;
  readonly steps: readonly EntryStep[];
}
