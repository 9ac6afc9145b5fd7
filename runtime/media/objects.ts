/** The stored objects of a file: the original and, for an image, its formats. */
import { createReadStream } from "node:fs";
import type { FileFormat } from "../schema/content-type.ts";
import { kilobytes, isHarmless } from "./file-types.ts";
import { type ImageTime, type ProcessedImage, processImage } from "./images.ts";
import type { MediaServices, Received } from "./receive.ts";
import { type FileRecord, type FormatRecords, storageKey } from "./record.ts";

/** The names for the objects of a file. */
export interface ObjectNames {
  /** The client's name of the file. */
  readonly name: string;
  readonly hash: string;
  readonly ext: string | null;
}

interface PreparedObject {
  readonly key: string;
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The objects to store, and the values for the file's row. */
export interface PreparedFile {
  readonly mime: string;
  readonly objects: readonly PreparedObject[];
  readonly measures: Pick<FileRecord, "width" | "height" | "mime" | "size" | "url" | "provider">;
  readonly formats: FormatRecords;
}

/** Measures the file, creates the formats of an image within `time`, and lists the objects to store. */
export const prepareFile = async (
  { config, media: { storage } }: MediaServices,
  file: Received,
  as: ObjectNames,
  time: ImageTime,
): Promise<PreparedFile> => {
  const image = await processImage(file, config.media, time);
  const original = image ?? file;
  const formats = (image?.formats ?? []).map((format) => {
    const hash = `${format.name}_${as.hash}`;
    const key = storageKey({ hash, ext: as.ext });
    return { format, record: formatRecord(format, { ...as, hash }, { mime: file.type, url: storage.url(key) }), key };
  });
  return {
    mime: file.type,
    // The original comes last, so that its formats exist when it can be seen.
    objects: [
      ...formats.map(({ key, format: { path, size } }) => ({ key, path, size })),
      { key: storageKey(as), path: original.path, size: original.size },
    ],
    measures: {
      width: image?.width ?? null,
      height: image?.height ?? null,
      mime: file.type,
      size: kilobytes(original.size),
      url: storage.url(storageKey(as)),
      provider: storage.name,
    },
    formats: Object.fromEntries(formats.map(({ format, record }) => [format.name, record])),
  };
};

const formatRecord = (
  { name: format, width, height, size }: ProcessedImage["formats"][number],
  { name, hash, ext }: ObjectNames,
  { mime, url }: { readonly mime: string; readonly url: string },
): FileFormat => ({
  name: `${format}_${name}`,
  hash,
  ext,
  mime,
  path: null,
  width,
  height,
  size: kilobytes(size),
  sizeInBytes: size,
  url,
});

/** Stores the objects one after the other. */
export const putObjects = async (
  { media: { storage } }: MediaServices,
  { objects, mime }: PreparedFile,
): Promise<void> => {
  const details = { mime, attachment: !isHarmless(mime) };
  for (const { key, path, size } of objects) await storage.put(key, createReadStream(path), { size, ...details });
};

/** Deletes objects that no row refers to; returns those that could not be deleted. `cms media check` finds them later. */
export const discardObjects = async (
  { media, log }: Pick<MediaServices, "media" | "log">,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const left: string[] = [];
  for (const key of keys) {
    try {
      await media.storage.delete(key);
    } catch (error) {
      left.push(key);
      log.error({ err: error, key }, "a stored object could not be removed");
    }
  }
  return left;
};

/** Milliseconds before each further attempt. */
const PAUSES = [10_000, 60_000, 600_000];

/**
 * Deletes objects whose names are never used again, such as those of a file that was deleted. Waits for one attempt; others
 * follow if it fails.
 */
export const discardForGood = async (
  services: Pick<MediaServices, "media" | "log">,
  keys: readonly string[],
  pauses: readonly number[] = PAUSES,
): Promise<void> => {
  const left = await discardObjects(services, keys);
  const [pause, ...later] = pauses;
  if (left.length === 0 || pause === undefined) return;
  setTimeout(() => void discardForGood(services, left, later), pause).unref();
};
