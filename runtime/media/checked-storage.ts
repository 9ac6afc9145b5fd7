/** The storage that all code uses: the configured one, which is only ever asked for plain file names. */
import { ValidationError } from "../base/errors.ts";
import { isKey, type StorageProvider } from "../base/storage.ts";

const plain = (key: string): string => {
  if (isKey(key)) return key;
  throw new ValidationError(`${JSON.stringify(key)} is not a name that a file can be stored under`);
};

/**
 * Wraps a provider so that no key leads out of its folder or bucket, wherever the key comes from: rows may have been
 * imported, or written by SQL. Under another name there is no object; storing one is an error.
 */
export const checkedStorage = (provider: StorageProvider): StorageProvider => ({
  name: provider.name,
  put: async (key, body, details) => provider.put(plain(key), body, details),
  stat: async (key) => (isKey(key) ? provider.stat(key) : undefined),
  read: async (key, range) => (isKey(key) ? provider.read(key, range) : undefined),
  delete: async (key) => (isKey(key) ? provider.delete(key) : undefined),
  url: (key) => provider.url(plain(key)),
  list: () => provider.list(),
  sweep: async (before) => provider.sweep?.(before),
});
