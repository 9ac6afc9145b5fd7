/** The exports for application code: storing files, and implementing other storage. */
export { type NewFileInput, storeFile } from "./store.ts";
export type { ByteRange, ObjectDetails, ObjectInfo, StorageProvider, StoredObject } from "../base/storage.ts";
