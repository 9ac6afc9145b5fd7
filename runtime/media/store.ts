/** Stores, replaces, changes and deletes files: their objects and rows. */
import { join } from "node:path";
import { type Caller, system } from "../access/caller.ts";
import { createId } from "../base/create-id.ts";
import { NotFoundError } from "../base/errors.ts";
import { sendAll, type Session } from "../database/database.ts";
import { RunAgainError } from "../database/fault.ts";
import { runAgain } from "../database/transaction.ts";
import type { FileChange } from "../documents/recorders.ts";
import type { Registry } from "../schema/registry.ts";
import type { FileInfo } from "./file-info.ts";
import { cleanName, makeHash } from "./file-types.ts";
import { imageTime, type ImageTime } from "./images.ts";
import { inWorkspace } from "./media.ts";
import { discardForGood, discardObjects, type PreparedFile, prepareFile, putObjects } from "./objects.ts";
import { type MediaServices, receive, type Received } from "./receive.ts";
import {
  deleteFileRow,
  type FileChanges,
  type FileRecord,
  findFile,
  insertFile,
  isRecorded,
  keysOf,
  type NewFile,
  updateFile,
} from "./record.ts";

/**
 * Prepares a received file with its `fileInfo`. Stores nothing yet.
 *
 * @param time the time that the upload's images may still take
 * @throws ValidationError if its type is an image but it cannot be read as one, or not in time
 */
export const readyFile = async (
  services: MediaServices,
  file: Received,
  info: FileInfo | undefined,
  time: ImageTime,
) => {
  const name = cleanName(info?.name ?? "") || file.name;
  const as = { name, hash: makeHash(name, file.ext), ext: file.ext };
  const prepared = await prepareFile(services, file, as, time);
  const row: NewFile = {
    documentId: createId(),
    ...as,
    alternativeText: info?.alternativeText ?? null,
    caption: info?.caption ?? null,
    focalPoint: info?.focalPoint ?? null,
    ...prepared.measures,
    formats: Object.keys(prepared.formats).length > 0 ? prepared.formats : null,
    createdAt: new Date().toISOString(),
  };
  return { prepared, row, folder: info?.folder };
};

/** A file that is ready to be stored: its objects and its row. */
export type ReadyFile = Awaited<ReturnType<typeof readyFile>>;

type Recording = Pick<MediaServices, "recorders">;

/** Records what happens to a file, in the transaction in which it happens. */
export const recordFile = (
  { recorders = [] }: Recording,
  session: Session,
  change: FileChange,
  by: Caller = system,
): Promise<unknown> =>
  sendAll(
    session,
    recorders.flatMap((recorder) => recorder.recordFile?.(change, by) ?? []),
  );

/** Notifies the recorders of a commit. */
export const committed = ({ recorders = [] }: Recording): void => {
  for (const recorder of recorders) recorder.committed?.();
};

/** Runs for each file in the transaction that writes the rows. If it throws, no file is stored. */
export type Attach = (session: Session, file: FileRecord) => Promise<void>;

/**
 * Stores all files or none. Objects are stored before rows, so that no row is without its objects; if writing the rows
 * fails, the objects are deleted again.
 */
export const storeReady = async (
  services: MediaServices,
  files: readonly ReadyFile[],
  attach?: Attach,
): Promise<FileRecord[]> => {
  try {
    for (const { prepared } of files) await putObjects(services, prepared);
    const stored = await services.database.transaction(async (session) => {
      const records: FileRecord[] = [];
      for (const { row, folder } of files) {
        const file = await insertFile(session, row);
        await attach?.(session, file);
        for (const feature of services.features ?? []) await feature.place?.(session, file.id, folder);
        await recordFile(services, session, { action: "create", file });
        records.push(file);
      }
      return records;
    });
    committed(services);
    return stored;
  } catch (error) {
    // The client need not wait for it: a storage that has just failed may be slow, too.
    void undo(services, files);
    throw error;
  }
};

/** Deletes the objects of files whose rows could not be written. */
const undo = async (services: MediaServices, files: readonly ReadyFile[]): Promise<void> => {
  const [first] = files;
  if (!first) return;
  // If the connection broke during the commit, it is unknown whether the rows exist; so check before deleting the
  // objects.
  const mayBeRecorded = await isRecorded(services.database, first.row).catch(() => true);
  if (mayBeRecorded) return;
  const keys = files.flatMap(({ prepared }) => prepared.objects.map(({ key }) => key));
  await discardForGood(services, keys);
};

/** A file from application code. */
export interface NewFileInput extends Omit<FileInfo, "folder"> {
  /** The file's name; its extension becomes part of the address. */
  readonly name: string;
  /** The bytes, or a stream of them. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** The media type, if it cannot be detected from the content, as with text. */
  readonly type?: string;
}

/**
 * Stores a file from code: a seed, an import, an extension. The limits of uploads apply.
 *
 * @returns the stored file; media attributes take its `id`
 * @throws HttpError when the file is too large or of a type that is not allowed
 */
export const storeFile = async (services: MediaServices, input: NewFileInput): Promise<FileRecord> => {
  const { name, content, type, alternativeText, caption, focalPoint } = input;
  return inWorkspace(services.media, async (folder) => {
    const chunks = content instanceof Uint8Array ? chunksOf(content) : content;
    const file = await receive(services, { name, type, content: chunks }, join(folder, "0"));
    const info = { alternativeText, caption, focalPoint };
    const ready = await readyFile(services, file, info, imageTime(services.config.media));
    const [record] = await storeReady(services, [ready]);
    if (!record) throw new Error("a file was stored without a record");
    return record;
  });
};

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The changes that `info` asks for. Null clears a value, except the name, which cannot be empty. */
const changesOf = (info: FileInfo | undefined) => {
  const name = cleanName(info?.name ?? "");
  return {
    ...(name === "" ? {} : { name }),
    ...(info?.alternativeText === undefined ? {} : { alternativeText: info.alternativeText }),
    ...(info?.caption === undefined ? {} : { caption: info.caption }),
    ...(info?.focalPoint === undefined ? {} : { focalPoint: info.focalPoint }),
  };
};

/** Changes the information about a file. @throws NotFoundError if there is no file with that id */
export const updateFileInfo = async (
  services: Pick<MediaServices, "database" | "recorders">,
  id: number,
  info: FileInfo | undefined,
): Promise<FileRecord> => {
  const changes = { ...changesOf(info), updatedAt: new Date().toISOString() };
  const changed = services.recorders?.length
    ? await services.database.transaction(async (session) => {
        const file = await updateFile(session, id, changes);
        if (file) await recordFile(services, session, { action: "update", file });
        return file;
      })
    : await updateFile(services.database, id, changes);
  committed(services);
  if (!changed) throw new NotFoundError("Entity not found");
  return changed;
};

/**
 * Replaces the content of a file. Its address and the references to it stay.
 *
 * @throws NotFoundError if there is no file with that id; RunAgainError when other requests replaced it, ten times in a
 *   row
 */
export const replaceFile = async (
  services: MediaServices,
  id: number,
  file: Received,
  info: FileInfo | undefined,
): Promise<FileRecord> => {
  const before = await findFile(services.database, id);
  if (!before) throw new NotFoundError("Entity not found");
  const changes = changesOf(info);
  const as = { name: changes.name ?? file.name, hash: before.hash, ext: before.ext };
  const prepared = await prepareFile(services, file, as, imageTime(services.config.media));
  const row = { ...changes, ...as, ...prepared.measures, formats: prepared.formats };
  return runAgain(() => putReplacement(services, id, prepared, row));
};

/** The current time, or a moment after `before` if that is later, so that two changes never have the same time. */
const instantAfter = (before: string): string =>
  new Date(Math.max(Date.now(), new Date(before).getTime() + 1)).toISOString();

/**
 * Stores the new objects of a file, and then updates its row. Another request may store its own objects in between: a
 * request that finds the row changed stores its objects again, so that in the end row and objects come from the same
 * upload.
 *
 * @throws NotFoundError if the file was deleted; RunAgainError if another request changed it meanwhile
 */
const putReplacement = async (
  services: MediaServices,
  id: number,
  prepared: PreparedFile,
  row: Omit<FileChanges, "updatedAt">,
): Promise<FileRecord> => {
  const { database } = services;
  const stored = prepared.objects.map(({ key }) => key);
  const before = await findFile(database, id);
  if (!before) throw new NotFoundError("Entity not found");
  await putObjects(services, prepared);
  const after = await database.transaction(async (session) => {
    const updated = await updateFile(
      session,
      id,
      { ...row, updatedAt: instantAfter(before.updatedAt) },
      before.updatedAt,
    );
    const left = keysOf(before).filter((key) => !stored.includes(key));
    // Deleted while the row is still locked, so that no other request can have put the same keys into the row again.
    if (updated) {
      await recordFile(services, session, { action: "update", file: updated });
      await discardObjects(services, left);
    }
    return updated;
  });
  committed(services);
  if (after) return after;
  if (await findFile(database, id)) throw new RunAgainError("Other requests keep replacing this file; try again");
  // The file was deleted meanwhile, so nothing refers to the new objects.
  await discardObjects(services, stored);
  throw new NotFoundError("Entity not found");
};

/** Deletes a file, all references to it, and its objects. @throws NotFoundError if there is no file with that id */
export const deleteFile = async (
  services: MediaServices & { readonly registry: Registry },
  id: number,
  by?: Caller,
): Promise<FileRecord> => {
  const deleted = await deleteFileRow(services, id, (session, file) =>
    recordFile(services, session, { action: "delete", file }, by),
  );
  committed(services);
  if (!deleted) throw new NotFoundError("file.notFound");
  await discardForGood(services, keysOf(deleted));
  return deleted;
};
