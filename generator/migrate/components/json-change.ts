/** How values that hold components change: plain data that `print-json.ts` prints as SQL. */

import type { Pair } from "../names/pairings.ts";

/** The changes to one value, in order. */
export type ValueStep =
  /** Rewrites a single entry, each entry of a list, or the entries of one component in a zone. */
  | { readonly kind: "entry" | "each" | "eachOf"; readonly entry: Pair }
  /** Removes entries of components from a zone. */
  | { readonly kind: "without"; readonly components: readonly string[] }
  /** Renames components in a zone, or the types of documents: old name to new. */
  | { readonly kind: "renameComponents" | "renameTypes"; readonly names: Readonly<Record<string, string>> }
  /** Adds or removes the component name in entries. */
  | { readonly kind: "name"; readonly component: string }
  | { readonly kind: "unname" }
  /** Turns a single value into a list, or a list into its first value. */
  | { readonly kind: "list" | "first" }
  /** Adds the document type to links, or removes it: then links to other types are dropped. */
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "untype"; readonly types: readonly string[] }
  | { readonly kind: "empty" }
  /** An SQL expression. */
  | { readonly kind: "sql"; readonly value: string };

/** Fields with the SQL of their JSON. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The changes to a component entry, in order. */
export type EntryStep =
  /** Replaces a field that has a value. */
  | { readonly kind: "change"; readonly field: string; readonly steps: readonly ValueStep[] }
  | { readonly kind: "remove"; readonly fields: readonly string[] }
  /** Old name to new. */
  | { readonly kind: "rename"; readonly names: Readonly<Record<string, string>> }
  /** Adds fields, or fills them with values from elsewhere. */
  | { readonly kind: "add"; readonly fields: Fields }
  /** The same in the single component in a field, which is created if there is none. */
  | { readonly kind: "fill"; readonly field: string; readonly fields: Fields };

export interface EntryChange {
  /** The component, identified by its uids. One function rewrites its entries. */
  readonly entry: Pair;
  readonly steps: readonly EntryStep[];
}
