/** What documents, component entries and files look like on the wire, and the uids that name their kinds. */

/** `api::article.article` or `plugin::users-permissions.user`. */
export type Uid = `${string}::${string}.${string}`;

/** `shared.seo`: category and name. */
export type ComponentUid = `${string}.${string}`;

/** Which version of a document: `published` is also the only version of types without draft & publish. */
export type Status = "draft" | "published";

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Rich text: a list of nodes, told apart by `type`. A node may have members of its own besides. */
export type Blocks = readonly BlockNode[];

/** A node of rich text. */
export type BlockNode = ParagraphNode | HeadingNode | QuoteNode | CodeNode | ListNode | ImageNode;

/** A run of text. */
export interface TextNode {
  readonly type: "text";
  readonly text: string;
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
  readonly strikethrough?: boolean | undefined;
  readonly code?: boolean | undefined;
  readonly [key: string]: unknown;
}

/** Text that leads to an address. */
export interface LinkNode {
  readonly type: "link";
  readonly url: string;
  readonly children: readonly TextNode[];
  readonly [key: string]: unknown;
}

/** What stands in a line. */
export type InlineNode = TextNode | LinkNode;

/** A paragraph. */
export interface ParagraphNode {
  readonly type: "paragraph";
  readonly children: readonly InlineNode[];
  readonly [key: string]: unknown;
}

/** A heading of one of six levels. */
export interface HeadingNode {
  readonly type: "heading";
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly children: readonly InlineNode[];
  readonly [key: string]: unknown;
}

/** A quotation. */
export interface QuoteNode {
  readonly type: "quote";
  readonly children: readonly InlineNode[];
  readonly [key: string]: unknown;
}

/** Code, in a language where one is named. */
export interface CodeNode {
  readonly type: "code";
  readonly language?: string | null | undefined;
  readonly children: readonly TextNode[];
  readonly [key: string]: unknown;
}

/** A list, whose items may be lists. */
export interface ListNode {
  readonly type: "list";
  readonly format: "ordered" | "unordered";
  readonly children: readonly (ListItemNode | ListNode)[];
  readonly [key: string]: unknown;
}

/** An item of a list. */
export interface ListItemNode {
  readonly type: "list-item";
  readonly children: readonly InlineNode[];
  readonly [key: string]: unknown;
}

/** An uploaded picture, as it was when it was put in. */
export interface ImageNode {
  readonly type: "image";
  readonly image: Pick<File, "name" | "url" | "hash" | "mime" | "size" | "provider" | "createdAt" | "updatedAt"> & {
    readonly width: number;
    readonly height: number;
    readonly ext: string;
    readonly [key: string]: unknown;
  };
  readonly children: readonly InlineNode[];
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

declare const hidden: unique symbol;

/** The value of a private attribute: never in an answer. Code with all rights may filter by it, and read it by its name. */
export interface Private<Value> {
  readonly [hidden]: Value;
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

/** A smaller version of an image, as `formats` of its file has it. */
export interface FileFormat {
  readonly [key: string]: Json;
  readonly name: string;
  readonly hash: string;
  readonly ext: string | null;
  readonly mime: string;
  readonly path: null;
  readonly width: number;
  readonly height: number;
  /** In kilobytes. */
  readonly size: number;
  readonly sizeInBytes: number;
  readonly url: string;
}

/** An uploaded file as the wire shows it. */
export interface File extends DocumentFields {
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint: Json;
  width: number | null;
  height: number | null;
  /** By their name, such as `small`. */
  formats: Readonly<Record<string, FileFormat>> | null;
  hash: string;
  ext: string | null;
  mime: string;
  size: number;
  url: string;
  previewUrl: string | null;
  provider: string;
  provider_metadata: Json;
}
