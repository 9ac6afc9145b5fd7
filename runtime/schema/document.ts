/** What documents, component entries and files look like on the wire, and the uids that name their kinds. */

/** `api::article.article` or `plugin::users-permissions.user`. */
export type Uid = `${string}::${string}.${string}`;

/** `shared.seo`: category and name. */
export type ComponentUid = `${string}.${string}`;

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Rich text as a tree of nodes. */
export type Blocks = readonly BlockNode[];
/** A node of rich text, such as a paragraph, and what belongs to its kind. */
export interface BlockNode {
  readonly type: string;
  readonly children?: readonly BlockNode[];
  readonly [key: string]: unknown;
}

/** What every document carries on the wire. Instants are ISO 8601 in UTC with milliseconds. */
export interface DocumentFields {
  id: number;
  documentId: string;
  createdAt: string;
  updatedAt: string;
  /** Null in drafts. */
  publishedAt: string;
}

declare const drafts: unique symbol;

/** Said by the interfaces of types with draft & publish: their drafts may lack what is required. Nothing is stored for it. */
export interface DraftAndPublish {
  readonly [drafts]?: true;
}

/** Whether there are drafts of `Document`. */
export type HasDrafts<Document> = typeof drafts extends keyof Document ? true : false;

/** Content types by uid: every generated `document.ts` adds a line, so that uids are known to the compiler. */
export interface ContentTypes {}

/** The uids of the generated content types. */
export type KnownUid = keyof ContentTypes & string;

/** The interface of a content type's documents. */
export type DocumentOf<Uid extends KnownUid> = ContentTypes[Uid] extends { document: infer Document }
  ? Document
  : never;

/** What a published document of a content type has to be written with. */
export type InputOf<Uid extends KnownUid> = ContentTypes[Uid] extends { input: infer Input } ? Input : never;

/** A document that a polymorphic relation leads to; `__type` says which type it is of. */
export interface MorphDocument extends DocumentFields {
  __type: Uid;
}

/** What every component entry carries. */
export interface ComponentFields {
  id: number;
}

/** The entries of a dynamic zone, of the components in `Entries`; each says which one it is of. */
export type DynamicZone<Entries extends object> = {
  [Name in keyof Entries]: Entries[Name] & { __component: Name };
}[keyof Entries][];

/** An uploaded file as the wire shows it. */
export interface File extends DocumentFields {
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint: Json;
  width: number | null;
  height: number | null;
  formats: Json;
  hash: string;
  ext: string | null;
  mime: string;
  size: number;
  url: string;
  previewUrl: string | null;
  provider: string;
  provider_metadata: Json;
}
