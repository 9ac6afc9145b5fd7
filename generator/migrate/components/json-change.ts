/** How values that hold components change: data, which `print-json.ts` turns into SQL. */

import type { Pair } from "../names/pairings.ts";

/** What becomes of one value: steps, one after the other. */
export type ValueStep =
  /** A single entry, each of a list, or those of one component in a zone are rewritten. */
  | { readonly kind: "entry" | "each" | "eachOf"; readonly entry: Pair }
  /** Entries of components leave a zone. */
  | { readonly kind: "without"; readonly components: readonly string[] }
  /** Components in a zone, or the types of documents, get other names. Old name to new. */
  | { readonly kind: "renameComponents" | "renameTypes"; readonly names: Readonly<Record<string, string>> }
  /** Entries get the name of their component, or lose it. */
  | { readonly kind: "name"; readonly component: string }
  | { readonly kind: "unname" }
  /** A single value becomes a list, or a list its first value. */
  | { readonly kind: "list" | "first" }
  /** Links name the type of each document from now on, or no longer: then those to other types go. */
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "untype"; readonly types: readonly string[] }
  | { readonly kind: "empty" }
  /** An SQL expression. */
  | { readonly kind: "sql"; readonly value: string };

/** Fields with the SQL of their JSON. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** What becomes of an entry of a component: steps, one after the other. */
export type EntryStep =
  /** A field that has a value gets another. */
  | { readonly kind: "change"; readonly field: string; readonly steps: readonly ValueStep[] }
  | { readonly kind: "remove"; readonly fields: readonly string[] }
  /** Old name to new. */
  | { readonly kind: "rename"; readonly names: Readonly<Record<string, string>> }
  /** Fields that come, or get what comes from elsewhere. */
  | { readonly kind: "add"; readonly fields: Fields }
  /** The same in the single component in a field, which is made where there is none. */
  | { readonly kind: "fill"; readonly field: string; readonly fields: Fields };

export interface EntryChange {
  /** The component, by its uids. One function rewrites its entries. */
  readonly entry: Pair;
  readonly steps: readonly EntryStep[];
}
