import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { StorageProvider } from "../../runtime/base/storage.ts";

export interface MemoryStorage extends StorageProvider {
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Makes the next stores fail, after so many that work. */
  failAfter(stores: number): void;
}

/** A provider as a user may write one, which keeps files in memory. */
export const memoryStorage = (): MemoryStorage => {
  const objects = new Map<string, Buffer>();
  let left = Number.POSITIVE_INFINITY;
  const modified = new Date();
  return {
    name: "memory",
    objects,
    failAfter(stores) {
      left = stores;
    },
    async put(key, body) {
      const bytes = await buffer(body);
      if (left-- <= 0) throw new Error("the storage is full");
      objects.set(key, bytes);
    },
    async stat(key) {
      const bytes = objects.get(key);
      return bytes && { size: bytes.length, modified };
    },
    async read(key, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const bytes = objects.get(key);
      return bytes && Readable.from([bytes.subarray(start, end + 1)]);
    },
    async delete(key) {
      objects.delete(key);
    },
    url: (key) => `https://files.test/${key}`,
    async *list() {
      for (const [key, { length: size }] of objects) yield { key, size, modified };
    },
  };
};
