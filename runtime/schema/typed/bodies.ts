/**
 * What documents are written with, derived from what the generated validators take (`ArticleInput`) as the server derives
 * its checks: drafts may lack anything, and changes may leave out what stays as it is, inside of components too.
 */
import type { HasDrafts, Private, Status } from "../document.ts";
import type { Target } from "./names.ts";
import type { EntryOf } from "./populate.ts";

/** A new document, published or as a draft. */
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

/** Data of which it is not known yet what becomes of it, as hooks get it. */
export type AnyData<Document, Input> = Loose<Input, Document, null>;

/** `Missing` is what may stand for a value that is required. */
type Loose<Input, Shape, Missing> = {
  [Name in keyof Input]?: Name extends keyof Shape ? LooseValue<Input[Name], Shape[Name], Missing> : Input[Name];
};

type LooseValue<Value, Own, Missing> = undefined extends Own
  ? LooseLink<Value, Target<Own>, Missing> | (NonNullable<Own> extends readonly unknown[] ? never : Missing)
  : Value | Missing;

/** Only entries of components have parts; how a body names documents and files is always whole. */
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

/** `__component` says of what kind an entry of a zone is: it stays. */
type LooseEntry<Entry, Item, Missing> = Entry extends { __component: infer Uid }
  ? Pick<Entry, "__component"> & Loose<Omit<Entry, "__component">, EntryOf<Item, Uid>, Missing>
  : Loose<Entry, Item, Missing>;
