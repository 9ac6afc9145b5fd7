/** Compares the rows of files with the stored objects, and repairs differences, such as those after a crash. */
import { rm } from "node:fs/promises";
import type { Registry } from "../schema/registry.ts";
import { kilobytes } from "./file-types.ts";
import { foldersBefore } from "./media.ts";
import type { MediaServices } from "./receive.ts";
import { allFiles, deleteFileRow, type FileRecord, type FormatRecords, storageKey, updateFile } from "./record.ts";
import { recordFile } from "./store.ts";

/** The differences that were found. */
export interface Inspection {
  /** How many rows and objects there are in all. */
  readonly rows: number;
  readonly objects: number;
  /** Objects that belong to no row. */
  readonly orphans: readonly string[];
  /** Rows whose objects are missing. */
  readonly lost: readonly FileRecord[];
  /** Rows with formats whose objects are missing, with the formats that exist. */
  readonly incomplete: readonly { readonly file: FileRecord; readonly formats: FormatRecords }[];
  /** Rows with a wrong size, with the right one in kilobytes. */
  readonly resized: readonly { readonly file: FileRecord; readonly size: number }[];
  /** Folders of interrupted uploads. */
  readonly unfinished: readonly string[];
  /** The leftovers among the orphans made their last progress before this time. */
  readonly before: Date;
}

const MINUTE = 60_000;

/**
 * Finds differences between rows and objects. Changes nothing, and may run during uploads.
 *
 * @param graceMinutes younger objects may belong to an upload in progress, and do not count as orphans
 */
export const inspectMedia = async (
  { database, media: { storage, workspace } }: MediaServices,
  graceMinutes: number,
): Promise<Inspection> => {
  const before = new Date(Date.now() - graceMinutes * MINUTE);
  // Objects are listed before rows. A row that is written meanwhile is found below, and its objects are looked up one
  // by one.
  const sizes = new Map<string, number>();
  const orphans = new Set<string>();
  for await (const { key, size, modified } of storage.list()) {
    sizes.set(key, size);
    if (modified <= before) orphans.add(key);
  }
  const objects = sizes.size;
  const sizeOf = async (key: string): Promise<number | undefined> => sizes.get(key) ?? (await storage.stat(key))?.size;
  let rows = 0;
  const lost: FileRecord[] = [];
  const incomplete: { file: FileRecord; formats: FormatRecords }[] = [];
  const resized: { file: FileRecord; size: number }[] = [];
  for await (const file of allFiles(database)) {
    // Objects of another storage provider cannot be seen from here.
    if (file.provider !== storage.name) continue;
    rows += 1;
    orphans.delete(storageKey(file));
    const size = await sizeOf(storageKey(file));
    if (size === undefined) lost.push(file);
    else if (kilobytes(size) !== file.size) resized.push({ file, size: kilobytes(size) });
    const formats: Record<string, FormatRecords[string]> = {};
    for (const [name, format] of Object.entries(file.formats ?? {})) {
      orphans.delete(storageKey(format));
      if ((await sizeOf(storageKey(format))) !== undefined) formats[name] = format;
    }
    const complete = Object.keys(formats).length === Object.keys(file.formats ?? {}).length;
    if (size !== undefined && !complete) incomplete.push({ file, formats });
  }
  const unfinished = await foldersBefore(before, workspace);
  return { rows, objects, orphans: [...orphans], lost, incomplete, resized, unfinished, before };
};

/** Whether there is nothing to repair. */
export const isSound = ({ orphans, lost, incomplete, resized, unfinished }: Inspection): boolean =>
  [orphans, lost, incomplete, resized, unfinished].every((list) => list.length === 0);

/**
 * Whether no row has its objects and no object its row: then the storage or database is probably the wrong one, not
 * damaged.
 */
export const isForeign = ({ rows, objects, orphans, lost }: Inspection): boolean =>
  rows + objects > 0 && lost.length === rows && orphans.length === objects;

/** Deletes orphans and corrects rows. Rows whose objects are missing are deleted. */
export const repairMedia = async (
  services: MediaServices & { readonly registry: Registry },
  { orphans, lost, incomplete, resized, unfinished, before }: Inspection,
): Promise<void> => {
  const {
    database,
    media: { storage },
  } = services;
  const updatedAt = new Date().toISOString();
  for (const key of orphans) await storage.delete(key);
  await storage.sweep?.(before);
  for (const { id } of lost)
    await deleteFileRow(services, id, (session, file) => recordFile(services, session, { action: "delete", file }));
  for (const { file, formats } of incomplete) await updateFile(database, file.id, { formats, updatedAt });
  for (const { file, size } of resized) await updateFile(database, file.id, { size, updatedAt });
  for (const folder of unfinished) await rm(folder, { recursive: true, force: true });
};
