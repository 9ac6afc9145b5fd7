/** What code may write into a document, derived from the generated interfaces: a wrong attribute does not compile. */
import type { ComponentFields, ContentTypes, DocumentFields } from "../schema/content-type.ts";

/** A document or file: by documentId, by the numeric id of a row, or by an object that has one of them. */
export type Target = string | number | { readonly documentId: string } | { readonly id: number };

/** Where a document goes in the list of a relation. */
export type ConnectTarget =
  | Target
  | (({ readonly documentId: string } | { readonly id: number }) & {
      readonly position?:
        | { readonly before: string | number }
        | { readonly after: string | number }
        | { readonly start: true }
        | { readonly end: true };
    });

/** Changes to the list of a relation; `set` replaces it. */
export interface RelationChanges {
  readonly set?: readonly Target[];
  readonly connect?: readonly ConnectTarget[];
  readonly disconnect?: readonly Target[];
}

type SystemField = keyof DocumentFields | "locale" | "localizations";

/** An entry of a component: with its `id` it changes the one that is there, without it is a new one. */
type EntryData<Entry> = Entry extends { readonly __component: infer Uid }
  ? { readonly __component: Uid; readonly id?: number } & ValuesOf<Omit<Entry, "__component" | "id">>
  : { readonly id?: number } & ValuesOf<Omit<Entry, "id">>;

type ValuesOf<Of> = { readonly [Name in keyof Of]?: ValueOf<NonNullable<Of[Name]>> | null };

type ValueOf<Value> = Value extends DocumentFields
  ? Target | RelationChanges
  : Value extends ComponentFields
    ? EntryData<Value>
    : Value extends readonly (infer Item)[]
      ? [Item] extends [DocumentFields]
        ? readonly Target[] | RelationChanges
        : [Item] extends [ComponentFields]
          ? readonly EntryData<Item>[]
          : Value
      : Value;

/** The attributes of a document as a write takes them; null clears one. */
export type DataOf<Document> = ValuesOf<Omit<Document, SystemField>>;

/** The uids of the generated content types. */
export type KnownUid = keyof ContentTypes & string;

/** The document behind a uid. */
export type DocumentOf<Uid extends KnownUid> = ContentTypes[Uid];
