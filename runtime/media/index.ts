/** The exports for application code: storing files, and implementing other storage. */
import { databaseOf } from "../database/drizzle.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { FileRecord } from "./record.ts";
import { type NewFileInput, storeFile as store } from "./store.ts";

export type { ByteRange, ObjectDetails, ObjectInfo, StorageProvider, StoredObject } from "../base/storage.ts";
export type { NewFileInput } from "./store.ts";

/**
 * Stores a file from code: a seed, an import, an extension. The limits of uploads apply.
 *
 * @returns the stored file; media attributes take its `id`
 * @throws HttpError when the file is too large or of a type that is not allowed
 */
export const storeFile = (services: HookServices, input: NewFileInput): Promise<FileRecord> =>
  store({ ...services, database: databaseOf(services.db) }, input);
