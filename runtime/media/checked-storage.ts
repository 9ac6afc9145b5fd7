/**
 * The storage that all code uses: the configured one, which is only ever asked for plain file names, and whose failures are
 * those of a service that is not available.
 */
import { HttpError, ServiceUnavailableError, ValidationError } from "../base/errors.ts";
import { isKey, type StorageProvider } from "../base/storage.ts";

const plain = (key: string): string => {
  if (isKey(key)) return key;
  throw new ValidationError(`${JSON.stringify(key)} is not a name that a file can be stored under`);
};

/** The error for a failure of a storage or a file system, which may pass. */
export const storageFailure = (error: unknown): HttpError =>
  error instanceof HttpError
    ? error
    : Object.assign(new ServiceUnavailableError("The storage of files is not available"), { cause: error });

const available = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw storageFailure(error);
  }
};

/**
 * Wraps a provider so that no key leads out of its folder or bucket, wherever the key comes from: rows may have been
 * imported, or written by SQL. Under another name there is no object; storing one is an error.
 */
export const checkedStorage = (provider: StorageProvider): StorageProvider => ({
  name: provider.name,
  put: (key, body, details) => available(async () => provider.put(plain(key), body, details)),
  stat: (key) => available(async () => (isKey(key) ? provider.stat(key) : undefined)),
  read: (key, range) => available(async () => (isKey(key) ? provider.read(key, range) : undefined)),
  delete: (key) => available(async () => (isKey(key) ? provider.delete(key) : undefined)),
  url: (key) => provider.url(plain(key)),
  list: () => provider.list(),
  sweep: async (before) => provider.sweep?.(before),
});
