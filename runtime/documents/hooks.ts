/** Code of the user's that runs around writes. REST, GraphQL and the document service all pass here. */
import type { Caller } from "../access/caller.ts";
import type { Logger } from "../base/log.ts";
import type { Uid } from "../schema/content-type.ts";
import type { State } from "./context.ts";
import type { Documents } from "./service.ts";

interface Event {
  readonly uid: Uid;
  /** Who writes; `system` for code of the application. */
  readonly caller: Caller;
  /** The locale that is written; null for types without locales. */
  readonly locale: string | null;
  /** Other documents, with all rights. Do not wait for a write of the document that is being written. */
  readonly documents: Documents;
}

/** Before a write, outside of its transaction. An error that is thrown here ends it: an HttpError is the answer. */
export interface BeforeWrite<Data> extends Event {
  /** Undefined while a document is being created. */
  readonly documentId: string | undefined;
  /** As the body has it, before it is checked. Return an object to write that instead. */
  readonly data: Data;
  /** Whether the write is published. */
  readonly status: State;
}

/** About a document that is there, before or after what is done to it. */
export interface DocumentEvent extends Event {
  readonly documentId: string;
}

/** After a write has been committed. What fails here is logged, and changes nothing. */
export interface AfterWrite extends DocumentEvent {
  readonly status: State;
}

type Result<Value = void> = Value | Promise<Value>;

/** The hooks of one content type. A write that also publishes runs the hooks of both. */
export interface Hooks<Data = Readonly<Record<string, unknown>>> {
  beforeCreate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterCreate?(event: AfterWrite): Result;
  beforeUpdate?(event: BeforeWrite<Data>): Result<Data | void>;
  afterUpdate?(event: AfterWrite): Result;
  /** `locale` is the one that goes; null for all. */
  beforeDelete?(event: DocumentEvent): Result;
  afterDelete?(event: DocumentEvent): Result;
  /** `documentId` is undefined while a document is created published. */
  beforePublish?(event: Event & { readonly documentId: string | undefined }): Result;
  afterPublish?(event: DocumentEvent): Result;
  beforeUnpublish?(event: DocumentEvent): Result;
  afterUnpublish?(event: DocumentEvent): Result;
}

/** Runs what follows a committed write; failures are logged. */
export const runAfter = async (log: Logger, hooks: readonly (() => Result)[]): Promise<void> => {
  for (const hook of hooks) {
    try {
      await hook();
    } catch (error) {
      log.error({ err: error }, "a hook failed after a write");
    }
  }
};
