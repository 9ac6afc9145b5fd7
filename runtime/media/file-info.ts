/** Parses `fileInfo`, the information that a client sends about a file. */
import { z } from "zod";
import { isRecord } from "../base/is-record.ts";
import { checkData, type Path, validationError, valueAt } from "../schema/validation/check.ts";
import { missing } from "../schema/validation/messages.ts";

/** Form fields are always text, so texts that look like numbers or booleans are converted. */
const text = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  z.string().nullish(),
);
const percent = z.number({ error: missing }).min(0).max(100);

const fileInfo = z.object({
  name: text,
  alternativeText: text,
  caption: text,
  /** The most important point of the image, in percent from the left and the top. */
  focalPoint: z.object({ x: percent, y: percent }).nullish(),
  folder: z.unknown().optional(),
});
const one = z.object({ fileInfo });
const several = z.object({ fileInfo: z.array(fileInfo) });

export type FileInfo = z.output<typeof fileInfo>;

/** A parsed value, or the value of a JSON text; undefined if the text is not JSON. */
const fromJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** What the client sent for one file; null if it is neither an object nor JSON of one. */
const entryOf = (sent: unknown): unknown => {
  const value = fromJson(sent);
  return isRecord(value) ? value : null;
};

/** Validates what was `sent`. Ignores unknown members, since clients send some from other versions of this format. */
const read = (schema: typeof one | typeof several, sent: unknown, cast: unknown) => {
  const data = { fileInfo: cast };
  const original = (path: Path): unknown => {
    const value = valueAt(data, path);
    return value === null ? valueAt({ fileInfo: sent }, path) : value;
  };
  const faults = checkData(schema, data, { original, isNew: true, isIgnored: () => false });
  if (faults.length > 0) throw validationError(faults);
  return data;
};

/**
 * Parses the `fileInfo` of one file: JSON texts from a form, or values that are parsed already.
 *
 * @returns the information; undefined if there is none
 * @throws ValidationError naming what is wrong
 */
export const readOneFileInfo = (given: readonly unknown[]): FileInfo | undefined => {
  if (given.length === 0) return undefined;
  const sent = given.length === 1 ? given[0] : given;
  return one.parse(read(one, sent, entryOf(sent))).fileInfo;
};

/**
 * Parses the `fileInfo` of several files: a JSON text for each, or one list.
 *
 * @returns one entry for each file that has information, in the order of the files
 */
export const readFileInfos = (given: readonly unknown[]): readonly FileInfo[] => {
  if (given.length === 0) return [];
  const list = given.length === 1 ? fromJson(given[0]) : given;
  const data = Array.isArray(list) ? read(several, list, list.map(entryOf)) : read(several, given[0], null);
  return several.parse(data).fileInfo;
};
