/** What user code needs of files: storing them, and keeping them somewhere of its own. */
export { type NewFileInput, storeFile } from "./store.ts";
export type { ByteRange, ObjectDetails, ObjectInfo, StorageProvider, StoredObject } from "../base/storage.ts";
