/** Measures images, makes their smaller formats, and takes out what cameras write into them. Needs sharp. */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import type { Metadata, Sharp, SharpOptions } from "sharp";
import { ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";

/** A smaller version of an image, in the same file format. */
export interface ImageFormat {
  /** `thumbnail`, `small`, ... */
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** In bytes. */
  readonly size: number;
}

export interface ProcessedImage {
  readonly width: number | null;
  readonly height: number | null;
  /** What to store: the file as it came, or what it was rewritten to. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly formats: readonly ImageFormat[];
}

export interface ImageSource {
  /** As clients know it, for messages. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

type Settings = Pick<Config["media"], "formats" | "images">;

/** How each file format is written. The others are measured and kept as they are. */
const writers: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  "image/jpeg": (image) => image.jpeg({ quality: 80 }),
  "image/png": (image) => image.png({ compressionLevel: 9 }),
  "image/webp": (image) => image.webp({ quality: 80 }),
  "image/tiff": (image) => image.tiff({ compression: "lzw" }),
  "image/gif": (image) => image.gif(),
  "image/avif": (image) => image.avif({ quality: 60 }),
};
const resizable = new Set(["image/jpeg", "image/png", "image/webp", "image/tiff", "image/gif"]);
/** Only measured: what is inside can be large, and is never rendered. */
const measurable = new Set(["image/svg+xml", "image/heic", "image/heif", "image/bmp"]);

const THUMBNAIL = { width: 245, height: 156 };
const SECONDS = 60;

/** Images that are worked on at the same time in this process. Each uses one thread. */
const slots = pLimit(Math.max(1, Math.floor(availableParallelism() / 2)));

const loadSharp = async () => {
  try {
    const { default: sharp } = await import("sharp");
    sharp.concurrency(1);
    // Its cache is keyed by path, and every path is used once.
    sharp.cache(false);
    return sharp;
  } catch {
    return undefined;
  }
};
let loading: ReturnType<typeof loadSharp> | undefined;

const unreadable = (name: string): ValidationError => new ValidationError(`${name}: the image cannot be read`);

const hasTraces = ({ exif, xmp, iptc, comments, orientation = 1 }: Metadata): boolean =>
  exif !== undefined || xmp !== undefined || iptc !== undefined || comments !== undefined || orientation !== 1;

interface Job {
  readonly image: ImageSource;
  readonly settings: Settings;
  readonly metadata: Metadata;
  open(options?: SharpOptions): Sharp;
  write(image: Sharp): Sharp;
}

const processOne = async (image: ImageSource, settings: Settings): Promise<ProcessedImage | undefined> => {
  const sharp = await (loading ??= loadSharp());
  if (!sharp) return undefined;
  const open = (options: SharpOptions = {}): Sharp =>
    sharp(image.path, { limitInputPixels: settings.images.pixelLimit, failOn: "error", ...options }).timeout({
      seconds: SECONDS,
    });
  const write = writers[image.type];
  let metadata: Metadata;
  try {
    // The limit is judged below, with a message that says so.
    metadata = await open({ limitInputPixels: false }).metadata();
  } catch {
    if (write) throw unreadable(image.name);
    return undefined;
  }
  const { width, height } = metadata.autoOrient;
  if (!write) return { width, height, path: image.path, size: image.size, formats: [] };
  if (width * height > settings.images.pixelLimit) {
    throw new ValidationError(
      `${image.name}: the image has ${width} × ${height} pixels, and at most ${settings.images.pixelLimit} are allowed`,
    );
  }
  const job: Job = { image, settings, metadata, open, write };
  try {
    const formats = resizable.has(image.type) ? await makeFormats(job) : [];
    return { width, height, ...(await rewrite(job)), formats };
  } catch {
    throw unreadable(image.name);
  }
};

/**
 * The file that is stored in the end: upright and without metadata. One that has no metadata is replaced only when
 * that makes it smaller.
 */
const rewrite = async ({ image, settings, metadata, open, write }: Job): Promise<{ path: string; size: number }> => {
  const original = { path: image.path, size: image.size };
  const traces = hasTraces(metadata);
  const frames = metadata.pages ?? 1;
  // Frames are decoded one below the other, so together they count against the limit.
  const fits = metadata.autoOrient.width * metadata.autoOrient.height * frames <= settings.images.pixelLimit;
  if (!traces && (!settings.images.optimize || frames > 1)) return original;
  if (!fits) throw unreadable(image.name);
  const path = `${image.path}.rewritten`;
  await write(open({ animated: frames > 1 }).autoOrient()).toFile(path);
  const { size } = await stat(path);
  return traces || size < image.size ? { path, size } : original;
};

const makeFormats = async ({ image, settings, metadata, open, write }: Job): Promise<readonly ImageFormat[]> => {
  const { width, height } = metadata.autoOrient;
  const boxes = Object.entries(settings.formats).map(([name, side]) => ({ name, width: side, height: side }));
  const wanted = [...(settings.images.thumbnail ? [{ name: "thumbnail", ...THUMBNAIL }] : []), ...boxes];
  const formats: ImageFormat[] = [];
  for (const box of wanted) {
    if (width <= box.width && height <= box.height) continue;
    const path = `${image.path}.${formats.length}`;
    const resized = open().autoOrient().resize({ width: box.width, height: box.height, fit: "inside" });
    const made = await write(resized).toFile(path);
    formats.push({ name: box.name, path, width: made.width, height: made.height, size: made.size });
  }
  return formats;
};

/**
 * Measures and rewrites an image and makes its formats, beside the file at `path`. Waits for its turn: only a few images
 * are worked on at a time.
 *
 * @returns undefined when the file is no image that can be measured, or sharp is not installed
 * @throws ValidationError when the image cannot be read or has too many pixels
 */
export const processImage = async (image: ImageSource, settings: Settings): Promise<ProcessedImage | undefined> =>
  image.type in writers || measurable.has(image.type) ? slots(() => processOne(image, settings)) : undefined;
