/** Hooks: application code that runs around writes and reads, through REST, GraphQL and the document service. */
import type { Caller } from "../access/caller.ts";
import type { Logger } from "../base/log.ts";
import type { Mailer } from "../base/mailer.ts";
import type { StorageProvider } from "../base/storage.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../database/drizzle.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Status } from "../schema/document.ts";
import type { Documents } from "./service.ts";

/**
 * The application's own services, which `services` in `app.ts` creates. Declare their types to get them as
 * `services.own` in every hook, handler and task: `declare module "galley-cms" { interface OwnServices { search: Search
 * } }`.
 */
export interface OwnServices {}

/** What the function of a transaction uses to make its reads and writes part of the transaction. */
export interface TransactionTools {
  readonly documents: Documents;
  /** The Drizzle database, within the transaction. */
  readonly db: Db;
  /** All services, within the transaction. */
  readonly services: HookServices;
}

/** The services that application code gets besides the documents. */
export interface HookServices {
  readonly log: Logger;
  readonly config: Config;
  readonly mailer: Mailer;
  /** The storage, and the folder for files that are not stored yet; `storeFile` of `galley-cms/media` uses both. */
  readonly media: { readonly storage: StorageProvider; readonly workspace: string };
  /**
   * A Drizzle database on the server's connections, for tables of `generated/tables.ts` and SQL of your own. Its writes
   * run no hooks; within a transaction they are part of it.
   */
  readonly db: Db;
  /** Services that the application defines itself. */
  readonly own: OwnServices;
  /** The document service, with all rights. */
  readonly documents: Documents;
  /**
   * Runs `work` in one transaction: everything done through its argument is committed together, or rolled back if
   * `work` throws. Hooks after its writes run once the transaction is committed. On a conflict with another
   * transaction, `work` runs again from the start, so it should do nothing that must not happen twice. Within another
   * transaction it becomes a part of that one, and if it throws, only that part is rolled back.
   */
  transaction<Result>(work: (tools: TransactionTools) => Promise<Result>): Promise<Result>;
}

/** A document with its values, for code where the compiler does not know its type. */
export type HookedDocument = Readonly<Record<string, unknown>>;

interface Event {
  readonly uid: Uid;
  /** The caller that writes; `system` for application code. */
  readonly caller: Caller;
  /** The locale being written; null for types without locales. */
  readonly locale: string | null;
  /**
   * The document service, with all rights. Do not await a write to the document being written: the write would wait for
   * itself.
   */
  readonly documents: Documents;
  readonly services: HookServices;
}

/** Before a write, outside its transaction. Throwing here stops the write; an HttpError becomes the response. */
export interface BeforeWrite<Data> extends Event {
  /** Undefined when the document is being created. */
  readonly documentId: string | undefined;
  /** The data of the body, before validation. Return an object to write it instead. */
  readonly data: Data;
  /** Whether the write also publishes. */
  readonly status: Status;
}

/** About an existing document, before or after a change. */
export interface DocumentEvent extends Event {
  readonly documentId: string;
}

/**
 * After a change of a version has been committed. An error here is only logged. Both documents are as `findOne` returns
 * them without `populate`, and without `id`.
 */
export interface AfterChange<Document> extends DocumentEvent {
  /** The version after the change: the published one if something was published, else the draft. */
  readonly document: Document;
  /**
   * The version before the change: the draft for a write, the published version for publishing and unpublishing; null
   * if there was none.
   */
  readonly previous: Document | null;
}

/** After a write has been committed. */
export interface AfterWrite<Document = HookedDocument> extends AfterChange<Document> {
  readonly status: Status;
}

/** After a deletion has been committed. */
export interface AfterDelete<Document = HookedDocument> extends DocumentEvent {
  /**
   * The deleted version: the draft if the type has drafts. If several locales were deleted, that of the default locale,
   * or else the oldest.
   */
  readonly previous: Document;
}

type Result<Value = void> = Value | Promise<Value>;

/** Hooks around changes of documents. A write that also publishes runs both kinds of hooks. */
export interface WriteHooks<Data = Readonly<Record<string, unknown>>, Document = HookedDocument> {
  beforeCreate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterCreate?(event: AfterWrite<Document>): Result;
  beforeUpdate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterUpdate?(event: AfterWrite<Document>): Result;
  /** `locale` is the locale to delete; null for all. */
  beforeDelete?(event: DocumentEvent): Result;
  afterDelete?(event: AfterDelete<Document>): Result;
  /** `documentId` is undefined when the document is created and published at once. */
  beforePublish?(event: Event & { readonly documentId: string | undefined }): Result;
  afterPublish?(event: AfterChange<Document>): Result;
  beforeUnpublish?(event: DocumentEvent): Result;
  afterUnpublish?(event: AfterChange<Document>): Result;
}

/** Before clients read documents of a type through REST or GraphQL. */
export interface BeforeRead extends Omit<Event, "locale"> {}

/** A document about to be shown to a client, anywhere in a response. */
export interface AfterRead<Document = HookedDocument> extends BeforeRead {
  /** The values in the response: those that the query asks for and the caller may see. */
  readonly document: Partial<Document> & { readonly documentId: string };
}

/** New values for some attributes. */
export type ShownInstead<Document> = { readonly [Name in keyof Document]?: Document[Name] | undefined };

/** What a hook adds to a client's query. */
export interface ReadLimits<Where = object> {
  /** Only documents that also match these filters are read. They may use attributes that the caller may not. */
  readonly filters?: Where;
}

/** The hooks of one content type; `Where` is the type of its filters. */
export interface Hooks<
  Data = Readonly<Record<string, unknown>>,
  Document = HookedDocument,
  Where = object,
> extends WriteHooks<Data, Document> {
  /**
   * Runs before clients read documents of the type through its own routes and queries, over REST or GraphQL, but not
   * when they are populated. May throw, or restrict what is read. Does not run for the document service.
   */
  beforeRead?(event: BeforeRead): Result<ReadLimits<Where> | void>;
  /**
   * Runs for each document of the type that clients see over REST or GraphQL, also if populated. Returns new values for
   * some of its attributes. Cannot add attributes that the query leaves out.
   */
  afterRead?(event: AfterRead<Document>): Result<ShownInstead<Document> | void>;
  /**
   * The same hooks inside the write's transaction: their writes through `documents` and `services` are committed
   * together with the write, and an error rolls back everything. On a conflict they run again, like the function of a
   * transaction.
   */
  readonly inTransaction?: WriteHooks<Data, Document>;
}
