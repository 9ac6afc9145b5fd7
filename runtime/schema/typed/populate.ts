/** What code may ask for by `fields` and `populate`, to any depth. */
import type { DocumentOf, KnownUid } from "../document.ts";
import type { Filters, Sort } from "./filters.ts";
import type { KindName, LinkName, PrivateName, Target, ValueName } from "./names.ts";

/** Which values are shown: those that are listed, or all that are not private. `id` and `documentId` always are. */
export type Fields<Shape> = "*" | readonly (Exclude<ValueName<Shape>, KindName> | PrivateName<Shape>)[];

/** Which links are shown: one, several, all of them, or each with what is shown of its targets. */
export type Populate<Shape> = "*" | LinkName<Shape> | readonly LinkName<Shape>[] | PopulateObject<Shape>;

/** Links by name, each with what is shown of its targets. */
export type PopulateObject<Shape> = { readonly [Key in LinkName<Shape>]?: LinkOptions<Shape[Key]> };

declare const unasked: unique symbol;

/**
 * A populate that is not there. Editors ask this type which names there are, while the object that a query's own would
 * be inferred from is being written.
 */
export type Unpopulated<Shape> = PopulateObject<Shape> & { readonly [unasked]?: true };

/** Whether there is none. */
export type IsUnpopulated<Populate> = typeof unasked extends keyof Populate ? true : false;

/** What is shown of an entry of a component. */
export interface EntryOptions<Entry> {
  readonly fields?: Fields<Entry>;
  readonly populate?: Populate<Entry>;
}

/** What is shown of the documents or files that a relation leads to. */
export interface DocumentOptions<Document> extends EntryOptions<Document> {
  readonly filters?: Filters<Document>;
  readonly sort?: Sort<Document>;
}

/** The same, or how many documents there are. */
export interface RelationOptions<Document> extends DocumentOptions<Document> {
  readonly count?: boolean;
}

/** What is shown of a zone: entries with everything below them, or of the components that are listed. */
export type ZoneOptions<Entry> =
  | { readonly populate: "*" }
  | { readonly on: { readonly [Uid in ComponentOf<Entry>]?: true | EntryOptions<EntryOf<Entry, Uid>> } };

/** What is shown of the documents of any type: those of the types that are listed. */
export type MorphOptions =
  | { readonly populate: "*" }
  | { readonly on: { readonly [Uid in KnownUid]?: true | DocumentOptions<DocumentOf<Uid>> } };

/** The components of a zone. */
export type ComponentOf<Entry> = Entry extends { readonly __component: infer Uid extends string } ? Uid : never;

/** The entries of one component in a zone. */
export type EntryOf<Entry, Uid> = Extract<Entry, { readonly __component: Uid }>;

/** What may be said of a link: `true` shows all values of its targets. */
export type LinkOptions<Link> = boolean | OptionsOf<Target<Link>>;

type OptionsOf<Item> = "__component" extends keyof Item
  ? ZoneOptions<Item>
  : "__type" extends keyof Item
    ? MorphOptions
    : "documentId" extends keyof Item
      ? RelationOptions<Item>
      : EntryOptions<Item>;
