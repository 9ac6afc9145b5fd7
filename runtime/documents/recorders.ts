/** What records changes of documents, in the transactions that make them. */
import type { Caller } from "../access/caller.ts";
import type { Bound } from "../database/statement.ts";
import type { ContentType, File } from "../schema/content-type.ts";
import type { LoadedVersion, Version } from "./sql/version.ts";

/** What happens to one version of a document. */
export interface VersionChange {
  readonly action: "create" | "update" | "publish" | "unpublish" | "discardDraft" | "delete";
  readonly type: ContentType;
  /** The version as it is stored now; for `unpublish` and `delete`, as it was. */
  readonly version: Version & Partial<Pick<LoadedVersion, "id">>;
  /** The version that it replaces, if there was one in its status and locale. */
  readonly before?: LoadedVersion | undefined;
  /** Whether at most its lists of files changed, which are copied to other locales without being compared. */
  readonly mayBeSame?: boolean;
}

/** Statements that record changes: sent before those that make the changes, or after them. */
export interface Recording {
  readonly before?: readonly Bound[];
  readonly after?: readonly Bound[];
}

/** What happens to a file. */
export interface FileChange {
  readonly action: "create" | "update" | "delete";
  /** As it is stored now; or was, if it is deleted. */
  readonly file: File;
}

export interface Recorder {
  /** The statements for changes of one transaction, in the order of the changes. */
  record(changes: readonly VersionChange[], caller: Caller): Recording;
  /** The same for a file. */
  recordFile?(change: FileChange): readonly Bound[];
  /** Called after a commit. */
  committed?(): void;
}
