/**
 * The types of data to write, derived from the input types of the generated validators (`ArticleInput`) in the same way
 * as the server derives its checks: drafts may lack anything, and updates may omit what stays unchanged, also within
 * components.
 */
import type { HasDrafts, Private, Status } from "../document.ts";
import type { EntryOf, IsOptional, Target } from "./names.ts";

/** A new document, published or a draft. */
export type CreateData<Document, Input, Asked extends Status> = "draft" extends Asked
  ? HasDrafts<Document> extends true
    ? Loose<Input, Document, null>
    : Input
  : Input;

/** Changes to a document. */
export type UpdateData<Document, Input, Asked extends Status> = Loose<
  Input,
  Document,
  "draft" extends Asked ? (HasDrafts<Document> extends true ? null : never) : never
>;

/** Data whose later use is not known, as hooks get it. */
export type AnyData<Document, Input> = Loose<Input, Document, null>;

/** Makes values optional; `Missing` is the type that may stand for a required value. */
type Loose<Input, Shape, Missing> = {
  [Name in keyof Input]?: Name extends keyof Shape
    ? IsOptional<Shape, Name> extends true
      ? LooseLink<Input[Name], Target<Shape[Name]>, Missing> | MissingLink<Shape[Name], Missing>
      : Input[Name] | Missing
    : Input[Name];
};

/** Lists are emptied and never missing. */
type MissingLink<Own, Missing> = NonNullable<Own> extends readonly unknown[] ? never : Missing;

/** Applies to component entries only. References to documents and files are always complete. */
type LooseLink<Value, Item, Missing> = [Item] extends [Private<unknown>]
  ? Value
  : "documentId" extends keyof Item
    ? Value
    : LooseEntries<Value, Item, Missing>;

type LooseEntries<Value, Item, Missing> = Value extends readonly (infer Entry)[]
  ? LooseEntry<Entry, Item, Missing>[]
  : Value extends object
    ? Loose<Value, Item, Missing>
    : Value;

/** Keeps `__component`, which tells the component of a zone's entry. */
type LooseEntry<Entry, Item, Missing> = Entry extends { __component: infer Uid }
  ? Pick<Entry, "__component"> & Loose<Omit<Entry, "__component">, EntryOf<Item, Uid>, Missing>
  : Loose<Entry, Item, Missing>;
