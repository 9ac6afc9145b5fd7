/** Code of the user's that runs around writes. REST, GraphQL and the document service all pass here. */
import type { Caller } from "../access/caller.ts";
import type { Logger } from "../base/log.ts";
import type { Mailer } from "../base/mailer.ts";
import type { StorageProvider } from "../base/storage.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Status } from "../schema/document.ts";
import type { OwnServices } from "./own-services.ts";
import type { Documents } from "./service.ts";

/** What the code of a transaction works with instead of what it had before. */
export interface TransactionTools {
  readonly documents: Documents;
  /** For statements of one's own. */
  readonly database: Database;
  /** The same and everything else that `services` have. */
  readonly services: HookServices;
}

/** What code of the user's works with, beside the documents. */
export interface HookServices {
  readonly log: Logger;
  readonly config: Config;
  readonly mailer: Mailer;
  readonly media: { readonly storage: StorageProvider };
  readonly database: Database;
  /** What the application has made for itself. */
  readonly own: OwnServices;
  /** The document service, with all rights. */
  readonly documents: Documents;
  /**
   * Runs `work` in one transaction: everything that it does by what it is given is committed together, or, when it
   * throws, not at all. Hooks after its writes run when it is committed. When others got in its way it runs again from its
   * beginning, so that it should do nothing else that could not be done twice. In a transaction it becomes a part of that
   * one, which is undone by itself when it throws.
   */
  transaction<Result>(work: (tools: TransactionTools) => Promise<Result>): Promise<Result>;
}

/** A document by its values, where its type is not known to the compiler. */
export type HookedDocument = Readonly<Record<string, unknown>>;

interface Event {
  readonly uid: Uid;
  /** Who writes; `system` for code of the application. */
  readonly caller: Caller;
  /** The locale that is written; null for types without locales. */
  readonly locale: string | null;
  /** Other documents, with all rights. Do not wait for a write of the document that is being written. */
  readonly documents: Documents;
  readonly services: HookServices;
}

/** Before a write, outside of its transaction. An error that is thrown here ends it: an HttpError is the answer. */
export interface BeforeWrite<Data> extends Event {
  /** Undefined while a document is being created. */
  readonly documentId: string | undefined;
  /** As the body has it, before it is checked. Return an object to write that instead. */
  readonly data: Data;
  /** Whether the write is published. */
  readonly status: Status;
}

/** About a document that is there, before or after what is done to it. */
export interface DocumentEvent extends Event {
  readonly documentId: string;
}

/**
 * After something was done to a version of a document, and committed. What fails here is logged, and changes nothing.
 * Both documents are as `findOne` shows them without `populate`, less the `id`.
 */
export interface AfterChange<Document> extends DocumentEvent {
  /** The version that is left: the published one where something was published, else the draft. */
  readonly document: Document;
  /** What was there before: of a write the draft, of (un)publishing the published version; null when there was none. */
  readonly previous: Document | null;
}

/** After a write has been committed. */
export interface AfterWrite<Document = HookedDocument> extends AfterChange<Document> {
  readonly status: Status;
}

/** After a deletion has been committed. */
export interface AfterDelete<Document = HookedDocument> extends DocumentEvent {
  /** What is gone: the draft where the type has drafts; of all locales the default one, or the oldest. */
  readonly previous: Document;
}

type Result<Value = void> = Value | Promise<Value>;

/** Hooks around what is done to documents. A write that also publishes runs the hooks of both. */
export interface WriteHooks<Data = Readonly<Record<string, unknown>>, Document = HookedDocument> {
  beforeCreate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterCreate?(event: AfterWrite<Document>): Result;
  beforeUpdate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterUpdate?(event: AfterWrite<Document>): Result;
  /** `locale` is the one that goes; null for all. */
  beforeDelete?(event: DocumentEvent): Result;
  afterDelete?(event: AfterDelete<Document>): Result;
  /** `documentId` is undefined while a document is created published. */
  beforePublish?(event: Event & { readonly documentId: string | undefined }): Result;
  afterPublish?(event: AfterChange<Document>): Result;
  beforeUnpublish?(event: DocumentEvent): Result;
  afterUnpublish?(event: AfterChange<Document>): Result;
}

/** Before clients read documents of a type, over REST or GraphQL. */
export interface BeforeRead extends Omit<Event, "locale"> {}

/** A document that clients are about to be shown, wherever it stands in the answer. */
export interface AfterRead<Document = HookedDocument> extends BeforeRead {
  /** What the answer shows of it: of its values those that the query asks for and the caller may see. */
  readonly document: Partial<Document> & { readonly documentId: string };
}

/** Other values for some attributes. */
export type ShownInstead<Document> = { readonly [Name in keyof Document]?: Document[Name] | undefined };

/** What a hook adds to the query of a client. */
export interface ReadLimits<Where = object> {
  /** Only documents that meet these too are read; they may name what the caller may not. */
  readonly filters?: Where;
}

/** The hooks of one content type; `Where` is what filters its documents. */
export interface Hooks<
  Data = Readonly<Record<string, unknown>>,
  Document = HookedDocument,
  Where = object,
> extends WriteHooks<Data, Document> {
  /**
   * Runs before clients read documents of the type by its own routes and queries, over REST or GraphQL; not where they are
   * populated. May throw, or narrow what is read. The document service runs none of these.
   */
  beforeRead?(event: BeforeRead): Result<ReadLimits<Where> | void>;
  /**
   * Runs for each document of the type that clients are shown, over REST or GraphQL, at the top or populated, and returns
   * other values for some of its attributes. What the query leaves out stays out.
   */
  afterRead?(event: AfterRead<Document>): Result<ShownInstead<Document> | void>;
  /**
   * The same hooks in the transaction of the write: what they write by the `documents` and `services` that they get is
   * committed with it, and what they throw undoes it all. They may run again, as the function of a transaction may.
   */
  readonly inTransaction?: WriteHooks<Data, Document>;
}
