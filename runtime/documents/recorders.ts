/** Recorders of document changes, which run in the transactions that make the changes. */
import type { Caller } from "../access/caller.ts";
import { type Bound, sendAll, type Session } from "../database/database.ts";
import type { ContentType, File } from "../schema/content-type.ts";
import type { Act } from "./acts.ts";
import type { LoadedVersion, Version } from "./sql/version.ts";

/** What happens to one version of a document. */
export interface VersionChange {
  readonly action: "create" | "update" | "publish" | "unpublish" | "discardDraft" | "delete";
  readonly type: ContentType;
  /** The version as stored now; for `unpublish` and `delete`, as it was. */
  readonly version: Version & Partial<Pick<LoadedVersion, "id">>;
  /** The version that it replaces, if there was one in its status and locale. */
  readonly before?: LoadedVersion | undefined;
  /** Whether at most its lists of files changed, which are copied to other locales without comparing them. */
  readonly mayBeSame?: boolean;
}

/** Statements that record changes, sent before or after those that make the changes. */
export interface Recording {
  readonly before?: readonly Bound[];
  readonly after?: readonly Bound[];
}

/** What happens to a file. */
export interface FileChange {
  readonly action: "create" | "update" | "delete";
  /** As stored now, or as it was if deleted. */
  readonly file: File;
}

export interface Recorder {
  /** The statements for changes of one transaction, in the order of the changes. */
  record(changes: readonly VersionChange[], caller: Caller): Recording;
  /** The same for a file. */
  recordFile?(change: FileChange, caller: Caller): readonly Bound[];
  /** The same for anything else. */
  recordAct?(act: Act, caller: Caller): readonly Bound[];
  /** Called after a commit. */
  committed?(): void;
}

/** Records an act in the session's transaction, if there is a recorder for it. */
export const recordAct = async (
  session: Session,
  recorders: readonly Recorder[],
  act: Act,
  by: Caller,
): Promise<void> => {
  await sendAll(
    session,
    recorders.flatMap((recorder) => recorder.recordAct?.(act, by) ?? []),
  );
};

/** Where changes are made, and who records them. */
interface Recorded {
  readonly database: Session;
  readonly recorders: readonly Recorder[];
}

/** Makes a change in a transaction, and records it there unless nothing changed. */
export const recordedChange = <Result>(
  { database, recorders }: Recorded,
  act: Act,
  by: Caller,
  change: (session: Session) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (session) => {
    const result = await change(session);
    if (result) await recordAct(session, recorders, act, by);
    return result;
  });
