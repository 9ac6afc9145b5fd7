/** What documents, component entries and files look like on the wire, and the uids that name their kinds. */

/** `api::article.article` or `plugin::users-permissions.user`. */
export type Uid = `${string}::${string}.${string}`;

/** `shared.seo`: category and name. */
export type ComponentUid = `${string}.${string}`;

/** A version of a document. Types without draft & publish have only the `published` version. */
export type Status = "draft" | "published";

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Rich text: a list of nodes, distinguished by `type`. A node may have additional members. */
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

/** A link within text. */
export interface LinkNode extends Parent<"link", TextNode> {
  readonly url: string;
}

/** The nodes within a line. */
export type InlineNode = TextNode | LinkNode;

interface Parent<Type extends string, Child> {
  readonly type: Type;
  readonly children: readonly Child[];
  readonly [key: string]: unknown;
}

/** A paragraph. */
export interface ParagraphNode extends Parent<"paragraph", InlineNode> {}

/** A heading of one of six levels. */
export interface HeadingNode extends Parent<"heading", InlineNode> {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
}

/** A quotation. */
export interface QuoteNode extends Parent<"quote", InlineNode> {}

/** Code, with its language if one is given. */
export interface CodeNode extends Parent<"code", TextNode> {
  readonly language?: string | null | undefined;
}

/** A list, whose items may be lists. */
export interface ListNode extends Parent<"list", ListItemNode | ListNode> {
  readonly format: "ordered" | "unordered";
}

/** An item of a list. */
export interface ListItemNode extends Parent<"list-item", InlineNode> {}

/** An uploaded image, with the file's data at the time when it was inserted. */
export interface ImageNode extends Parent<"image", InlineNode> {
  readonly image: Pick<File, "name" | "url" | "hash" | "mime" | "size" | "provider" | "createdAt" | "updatedAt"> & {
    readonly width: number;
    readonly height: number;
    readonly ext: string;
    readonly [key: string]: unknown;
  };
}

/** The members of every document in responses. Instants are ISO 8601 in UTC with milliseconds. */
export interface DocumentFields {
  id: number;
  documentId: string;
  createdAt: string;
  updatedAt: string;
  /** Null in drafts. */
  publishedAt: string;
}

declare const hidden: unique symbol;

/**
 * The type of a private attribute, which is never in a response. Code with all rights may filter by it, and read it by
 * naming it.
 */
export interface Private<Value> {
  readonly [hidden]: Value;
}

declare const drafts: unique symbol;

/**
 * Marks the interfaces of types with draft & publish, whose drafts may lack required values. It exists only for the
 * compiler.
 */
export interface DraftAndPublish {
  readonly [drafts]?: true;
}

/** Whether the type of `Document` has drafts. */
export type HasDrafts<Document> = typeof drafts extends keyof Document ? true : false;

/** Content types by uid: every generated `document.ts` adds its type, so that the compiler knows the uids. */
export interface ContentTypes {}

/** The uids of the generated content types. */
export type KnownUid = keyof ContentTypes & string;

/** The interface of a content type's documents. */
export type DocumentOf<Uid extends KnownUid> = ContentTypes[Uid] extends { document: infer Document }
  ? Document
  : never;

/** The data for writing a published document of a content type. */
export type InputOf<Uid extends KnownUid> = ContentTypes[Uid] extends { input: infer Input } ? Input : never;

/** A document behind a polymorphic relation; `__type` is the uid of its type. */
export interface MorphDocument extends DocumentFields {
  __type: Uid;
}

/** The members of every component entry. */
export interface ComponentFields {
  id: number;
}

/** The entries of a dynamic zone, of the components in `Entries`; `__component` tells the component of each. */
export type DynamicZone<Entries extends object> = {
  [Name in keyof Entries]: Entries[Name] & { __component: Name };
}[keyof Entries][];

/** A smaller version of an image, in `formats` of its file. */
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
  /** The formats by name, such as `small`. */
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
