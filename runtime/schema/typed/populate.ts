/** What `fields` and `populate` may contain, to any depth. */
import type { DocumentOf, File, KnownUid } from "../document.ts";
import type { Exact } from "./exact.ts";
import type { Filters, Sort } from "./filters.ts";
import type { Asker, ComponentOf, EntryOf, KindName, LinkName, PrivateName, Target, ValueName } from "./names.ts";

/** Which values are shown: those that are listed, or all that are not private. `id` and `documentId` always are. */
export type Fields<Shape, By extends Asker = "application"> =
  | "*"
  | readonly (Exclude<ValueName<Shape>, KindName> | PrivateName<Shape, By>)[];

/** Which links are shown: one, several, all of them, or each with what is shown of its targets. */
export type Populate<Shape, By extends Asker = "application"> =
  | "*"
  | LinkName<Shape>
  | readonly LinkName<Shape>[]
  | PopulateObject<Shape, By>;

/** Links by name, each with what is shown of its targets. */
export type PopulateObject<Shape, By extends Asker = "application"> = {
  readonly [Key in LinkName<Shape>]?: Key extends "localizations"
    ? boolean | DocumentOptions<Target<Shape[Key]>, By>
    : LinkOptions<Shape[Key], By>;
};

declare const unasked: unique symbol;

/**
 * The type of a missing populate. Editors use it to suggest names while the query's own populate, from which the type
 * would be inferred, is being written.
 */
export type Unpopulated<Shape, By extends Asker = "application"> = PopulateObject<Shape, By> & {
  readonly [unasked]?: true;
};

/** Whether the populate is missing. */
export type IsUnpopulated<Populate> = typeof unasked extends keyof Populate ? true : false;

/** An inferred `populate`, checked to contain only names that exist. */
export type KnownPopulate<Populated, Document, By extends Asker = "application"> = Populated &
  (IsUnpopulated<Populated> extends true ? unknown : Exact<Populated, Populate<Document, By>>);

/** What is shown of an entry of a component. */
export interface EntryOptions<Entry, By extends Asker = "application"> {
  readonly fields?: Fields<Entry, By>;
  readonly populate?: Populate<Entry, By>;
}

/** What is shown of the documents or files that a relation leads to. */
export interface DocumentOptions<Document, By extends Asker = "application"> extends EntryOptions<Document, By> {
  readonly filters?: Filters<Document, By>;
  readonly sort?: Sort<Document, By>;
}

/** The options for a relation, or a count of its documents. Files and localizations are never counted. */
export interface RelationOptions<Document, By extends Asker = "application"> extends DocumentOptions<Document, By> {
  readonly count?: boolean;
}

/** The options for a zone: all entries with everything below them, or those of the listed components. */
export type ZoneOptions<Entry, By extends Asker = "application"> =
  | { readonly populate: "*" }
  | { readonly on: { readonly [Uid in ComponentOf<Entry>]?: true | EntryOptions<EntryOf<Entry, Uid>, By> } };

/** The options for a relation to any type: documents of the listed types. */
export interface MorphOptions<By extends Asker = "application"> {
  readonly on: { readonly [Uid in KnownUid]?: true | DocumentOptions<DocumentOf<Uid>, By> };
}

/** The options for a link; `true` shows all values of its targets. */
export type LinkOptions<Link, By extends Asker = "application"> = boolean | OptionsOf<Target<Link>, By>;

type OptionsOf<Item, By extends Asker> = "__component" extends keyof Item
  ? ZoneOptions<Item, By>
  : "__type" extends keyof Item
    ? MorphOptions<By>
    : [Item] extends [File]
      ? DocumentOptions<Item, By>
      : "documentId" extends keyof Item
        ? RelationOptions<Item, By>
        : EntryOptions<Item, By>;
