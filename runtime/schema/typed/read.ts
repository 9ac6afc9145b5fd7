/** The types of responses, which depend on `status`, `fields` and `populate`. */
import type { DocumentFields, DocumentOf, HasDrafts, KnownUid, Status } from "../document.ts";
import type { ComponentOf, EntryOf, KindName, LinkName, PrivateName, Revealed, ValueName } from "./names.ts";
import type { IsUnpopulated } from "./populate.ts";

/** The parts of a query that determine the type of its answer. */
export interface Shown {
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly status?: Status | undefined;
}

/**
 * The type of a document as `Query` reads it: the values that `fields` lists (all if it lists none) and what `populate`
 * names, to any depth. Drafts may lack values.
 */
export type Read<Document, Query extends Shown = {}> = ReadDocument<
  Document,
  FieldsOf<Query>,
  PopulateOf<Query>,
  StatusOf<Query>
>;

type FieldsOf<Options> = Options extends { readonly fields: infer Fields } ? Fields : "*";
type PopulateOf<Options> = Options extends { readonly populate: infer Populate } ? Populate : {};
type StatusOf<Query> = Query extends { readonly status: infer Asked extends Status } ? Asked : "published";

/** {@link Read} with the parts of the query as separate parameters. */
export type ReadDocument<Document, Fields, Populate, Asked extends Status> = ReadShape<
  Document,
  Fields,
  Populate,
  Asked,
  "draft" extends Asked ? HasDrafts<Document> : false
>;

/** Populated relations keep the requested status; only values of drafts may be missing. */
type ReadShape<Shape, Fields, Populate, Asked extends Status, IsDraft> = Values<Shape, Fields, IsDraft> &
  Links<Shape, Populate, Asked, IsDraft>;

/** Members that are always shown, also in drafts and whatever `fields` lists. */
type Identity = "id" | "documentId" | KindName;

type SystemName = Identity | Exclude<keyof DocumentFields, "publishedAt"> | "locale";

type Values<Shape, Fields, IsDraft> = Fields extends readonly (infer Listed)[]
  ? number extends Fields["length"]
    ? Present<Shape, ValueName<Shape> & Identity, IsDraft> &
        Partial<Present<Shape, ValueName<Shape> & Listed, IsDraft> & Named<Shape, PrivateName<Shape> & Listed, IsDraft>>
    : Present<Shape, ValueName<Shape> & (Listed | Identity), IsDraft> &
        Named<Shape, PrivateName<Shape> & Listed, IsDraft>
  : Present<Shape, ValueName<Shape>, IsDraft>;

type Present<Shape, Key extends keyof Shape, IsDraft> = IsDraft extends true
  ? { [Name in Key]: Name extends SystemName ? Shape[Name] : Shape[Name] | null }
  : { [Name in Key]: Shape[Name] };

/** Private values that `fields` lists. */
type Named<Shape, Key extends keyof Shape, IsDraft> = [Key] extends [never]
  ? unknown
  : { [Name in Key]-?: Revealed<Shape[Name]> | (IsDraft extends true ? null : never) };

type Links<Shape, Populate, Asked extends Status, IsDraft> =
  IsUnpopulated<Populate> extends true ? unknown : Populated<Shape, Populate, Asked, IsDraft>;

type Populated<Shape, Populate, Asked extends Status, IsDraft> = Populate extends "*"
  ? { [Key in LinkName<Shape>]: Led<Shape[Key], true, Asked, IsDraft> }
  : Populate extends string
    ? { [Key in LinkName<Shape> & Populate]: Led<Shape[Key], true, Asked, IsDraft> }
    : Populate extends readonly (infer Listed)[]
      ? number extends Populate["length"]
        ? { [Key in LinkName<Shape> & Listed]?: Led<Shape[Key], true, Asked, IsDraft> }
        : { [Key in LinkName<Shape> & Listed]: Led<Shape[Key], true, Asked, IsDraft> }
      : {
          -readonly [
            Key in keyof Populate as Populate[Key] extends false | undefined ? never : Key
          ]: Key extends keyof Shape ? Led<Shape[Key], Populate[Key], Asked, IsDraft> : never;
        };

/** The type of a populated link: a list, a target, or null. */
type Led<Link, Options, Asked extends Status, IsDraft> = Options extends false | undefined
  ? undefined
  : Options extends { readonly count: true }
    ? { count: number }
    : NonNullable<Link> extends readonly (infer Item)[]
      ? ReadTarget<Item, Options, Asked, IsDraft>[]
      : ReadTarget<NonNullable<Link>, Options, Asked, IsDraft> | Nothing<Link, IsDraft>;

type Nothing<Link, IsDraft> = null extends Link ? null : IsDraft extends true ? null : never;

type ReadTarget<Item, Options, Asked extends Status, IsDraft> = "__component" extends keyof Item
  ? ReadEntry<Item, Options, Asked, IsDraft>
  : "__type" extends keyof Item
    ? ReadMorph<Item, Options, Asked>
    : "documentId" extends keyof Item
      ? ReadDocument<Item, FieldsOf<Options>, PopulateOf<Options>, Asked>
      : ReadShape<Item, FieldsOf<Options>, PopulateOf<Options>, Asked, IsDraft>;

/** The entries of a zone, distinguished by `__component`. */
type ReadEntry<Entry, Options, Asked extends Status, IsDraft> = Options extends { readonly on: infer On }
  ? { [Uid in keyof On]: ReadFragment<EntryOf<Entry, Uid>, On[Uid], Asked, IsDraft> }[keyof On]
  : ReadEach<Entry, ComponentOf<Entry>, PopulateOf<Options>, Asked, IsDraft>;

type ReadEach<Entry, Uid extends string, Populate, Asked extends Status, IsDraft> = {
  [Each in Uid]: ReadShape<EntryOf<Entry, Each>, "*", Populate, Asked, IsDraft>;
}[Uid];

type ReadFragment<Shape, Options, Asked extends Status, IsDraft> = ReadShape<
  Shape,
  FieldsOf<Options>,
  PopulateOf<Options>,
  Asked,
  IsDraft
>;

/** Documents of any type, distinguished by `__type` if the query lists the types. */
type ReadMorph<Document, Options, Asked extends Status> = Options extends { readonly on: infer On }
  ? {
      [Uid in keyof On & KnownUid]: { __type: Uid } & ReadDocument<
        DocumentOf<Uid>,
        FieldsOf<On[Uid]>,
        PopulateOf<On[Uid]>,
        Asked
      >;
    }[keyof On & KnownUid]
  : Document;
