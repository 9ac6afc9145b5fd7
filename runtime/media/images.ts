/** Measures images, creates their smaller formats, and removes the metadata that cameras add. Needs sharp. */
import { open as openFile, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import type { Metadata, Sharp, SharpOptions } from "sharp";
import { ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { HEAD } from "./file-types.ts";

/** Units in pixels, at 72 pixels per inch as in other libraries. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  pt: 1,
  pc: 12,
  em: 12,
  ex: 6,
};

/** Larger sizes are treated as mistakes. */
const LARGEST = 1_000_000;

/** Matches a whole `<svg>` tag. Its alternatives begin with different characters, so matching takes linear time. */
const tag = /<svg(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;
const attribute = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The position after the next `end`; the end of the text if there is none. */
const after = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
};

/** The position after a declaration, which may contain others in brackets. */
const afterDeclaration = (text: string, from: number): number => {
  const end = after(text, ">", from);
  const bracket = text.indexOf("[", from);
  return bracket < 0 || bracket > end ? end : after(text, ">", after(text, "]", bracket));
};

const rootAttributes = (text: string): ReadonlyMap<string, string> | undefined => {
  let at = text.indexOf("<");
  while (at >= 0) {
    if (text.startsWith("<!--", at)) at = after(text, "-->", at);
    else if (text.startsWith("<?", at)) at = after(text, "?>", at);
    else if (text.startsWith("<!", at)) at = afterDeclaration(text, at);
    else break;
    at = text.indexOf("<", at);
  }
  if (at < 0) return undefined;
  tag.lastIndex = at;
  const found = tag.exec(text)?.[1];
  if (found === undefined) return undefined;
  return new Map([...found.matchAll(attribute)].map(([, name = "", one, other]) => [name, one ?? other ?? ""]));
};

/** A length in pixels; undefined for relative ones such as `100%`. */
const lengthOf = (text: string | undefined): number | undefined => {
  const [, digits, unit = ""] = /^\s*(\+?[\d.]{1,20}(?:e[+-]?\d{1,3})?)([a-z]*)\s*$/i.exec(text ?? "") ?? [];
  const factor = units[unit.toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
};

const isSize = (length: number): boolean => length >= 0.5 && length <= LARGEST;

/**
 * The size of an SVG in whole pixels: from `width` and `height`, or from `viewBox` if those are missing.
 *
 * @param head the beginning of the file
 * @returns undefined if the first element is not `svg`, or has no size
 */
const svgSize = (head: string): { readonly width: number; readonly height: number } | undefined => {
  const attributes = rootAttributes(head);
  if (!attributes) return undefined;
  const [, , across = Number.NaN, down = Number.NaN] = (attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const given = { width: lengthOf(attributes.get("width")), height: lengthOf(attributes.get("height")) };
  const width = given.width ?? (given.height === undefined ? across : (given.height * across) / down);
  const height = given.height ?? (given.width === undefined ? down : (given.width * down) / across);
  return isSize(width) && isSize(height) ? { width: Math.round(width), height: Math.round(height) } : undefined;
};

/** A smaller version of an image, in the same file format. */
interface ImageFormat {
  /** `thumbnail`, `small`, ... */
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** Size in bytes. */
  readonly size: number;
}

export interface ProcessedImage {
  readonly width: number | null;
  readonly height: number | null;
  /** The file to store: the original, or a rewritten one. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly formats: readonly ImageFormat[];
}

interface ImageSource {
  /** The client's name of the file, for messages. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

type Settings = Pick<Config["media"], "formats" | "images">;

/** The time that the images of one upload may still take, in milliseconds of work. */
export interface ImageTime {
  left: number;
}

export const imageTime = ({ images }: Pick<Settings, "images">): ImageTime => ({ left: images.seconds * 1000 });

/** How to write each format. Other formats are only measured, and stored unchanged. */
const writers: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  "image/jpeg": (image) => image.jpeg({ quality: 80 }),
  "image/png": (image) => image.png({ compressionLevel: 9 }),
  "image/webp": (image) => image.webp({ quality: 80 }),
  "image/tiff": (image) => image.tiff({ compression: "lzw" }),
  "image/gif": (image) => image.gif(),
  "image/avif": (image) => image.avif({ quality: 60 }),
};
const resizable = new Set(["image/jpeg", "image/png", "image/webp", "image/tiff", "image/gif"]);
/** Formats that are only measured, and never decoded, because their content can be very large. */
const measurable = new Set(["image/heic", "image/heif", "image/bmp"]);
const SVG = "image/svg+xml";

const THUMBNAIL = { width: 245, height: 156 };

/** Limits how many images the process works on at the same time. Each uses one thread. */
const slots = pLimit(Math.max(1, Math.floor(availableParallelism() / 2)));

const loadSharp = async () => {
  try {
    const { default: sharp } = await import("sharp");
    sharp.concurrency(1);
    // sharp's cache is keyed by path, and each path is used only once.
    sharp.cache(false);
    return sharp;
  } catch {
    return undefined;
  }
};
let loading: ReturnType<typeof loadSharp> | undefined;

const unreadable = (name: string): ValidationError => new ValidationError(`${name}: the image cannot be read`);

const outOfTime = (name: string, { images }: Settings): ValidationError =>
  new ValidationError(
    `${name}: the images of one upload may take ${images.seconds} s to work on, and this one takes longer`,
  );

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.startsWith("timeout");

const hasTraces = ({ exif, xmp, iptc, comments, orientation = 1 }: Metadata): boolean =>
  exif !== undefined || xmp !== undefined || iptc !== undefined || comments !== undefined || orientation !== 1;

interface Job {
  readonly image: ImageSource;
  readonly settings: Settings;
  readonly metadata: Metadata;
  open(options?: SharpOptions): Sharp;
  write(image: Sharp): Sharp;
}

const measureSvg = async ({ path, size }: ImageSource): Promise<ProcessedImage | undefined> => {
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const measures = svgSize(buffer.toString("utf8", 0, bytesRead));
    return measures && { ...measures, path, size, formats: [] };
  } finally {
    await file.close();
  }
};

const processOne = async (
  image: ImageSource,
  settings: Settings,
  secondsLeft: () => number,
): Promise<ProcessedImage | undefined> => {
  const sharp = await (loading ??= loadSharp());
  if (!sharp) return undefined;
  const open = (options: SharpOptions = {}): Sharp => {
    const seconds = secondsLeft();
    if (seconds <= 0) throw outOfTime(image.name, settings);
    const limits = { limitInputPixels: settings.images.pixelLimit, failOn: "error" } as const;
    return sharp(image.path, { ...limits, ...options }).timeout({ seconds });
  };
  const write = writers[image.type];
  let metadata: Metadata;
  try {
    // The pixel limit is checked below, with a better message.
    metadata = await open({ limitInputPixels: false }).metadata();
  } catch (error) {
    if (error instanceof ValidationError) throw error;
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
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    throw isTimeout(error) ? outOfTime(image.name, settings) : unreadable(image.name);
  }
};

/** Runs `work` with the whole seconds that are left, and subtracts the time it took from `time`. */
const timed = async <Result>(
  time: ImageTime,
  work: (secondsLeft: () => number) => Promise<Result>,
): Promise<Result> => {
  const { left } = time;
  const start = performance.now();
  const remaining = (): number => left - (performance.now() - start);
  try {
    return await work(() => Math.ceil(remaining() / 1000));
  } finally {
    time.left = remaining();
  }
};

/** Rewrites the image upright and without metadata. If it has no metadata, the result is used only if it is smaller. */
const rewrite = async ({ image, settings, metadata, open, write }: Job): Promise<{ path: string; size: number }> => {
  const original = { path: image.path, size: image.size };
  const traces = hasTraces(metadata);
  const frames = metadata.pages ?? 1;
  // The frames of an animation are decoded as one tall image, so all of them count towards the limit.
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
 * Measures and rewrites an image and creates its formats, next to the file at `path`. Waits until fewer images are
 * being worked on; waiting does not count towards `time`.
 *
 * @returns undefined if the file is not an image that can be measured, or sharp is not installed
 * @throws ValidationError when the image cannot be read, has too many pixels, or takes longer than what is left of
 *   `time`
 */
export const processImage = async (
  image: ImageSource,
  settings: Settings,
  time: ImageTime,
): Promise<ProcessedImage | undefined> => {
  if (image.type === SVG) return measureSvg(image);
  if (!(image.type in writers) && !measurable.has(image.type)) return undefined;
  return slots(() => timed(time, (secondsLeft) => processOne(image, settings, secondsLeft)));
};
