/** What a client may say of a file besides its bytes. */
import { z } from "zod";
import { ValidationError } from "../errors.ts";

const text = z.string().nullish();
const percent = z.number().min(0).max(100);

const fileInfo = z.strictObject({
  name: text,
  alternativeText: text,
  caption: text,
  /** The point that matters most, in percent from the left and the top. */
  focalPoint: z.strictObject({ x: percent, y: percent }).nullish(),
});

export type FileInfo = z.output<typeof fileInfo>;

const parse = (value: unknown, path: readonly string[]): FileInfo => {
  const result = fileInfo.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => {
    const at = [...path, ...issue.path.map(String)];
    const message =
      issue.code === "unrecognized_keys"
        ? `${path.join(".")} field has unspecified keys: ${issue.keys.join(", ")}`
        : `${at.join(".")}: ${issue.message}`;
    return { path: at, message, name: "ValidationError" };
  });
  const [first] = errors;
  throw new ValidationError(errors.length === 1 && first ? first.message : `${errors.length} errors occurred`, {
    errors,
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError("fileInfo must be valid JSON");
  }
};

/**
 * Reads `fileInfo` as it came: texts of JSON (one, or one a file), or a value that was parsed already.
 *
 * @returns one entry for each file that something is said of, in the order of the files
 * @throws ValidationError naming what is wrong
 */
export const readFileInfo = (given: readonly unknown[]): readonly FileInfo[] => {
  const values = given.map((value) => (typeof value === "string" ? parseJson(value) : value));
  if (values.length === 1 && Array.isArray(values[0])) {
    return values[0].map((value, index) => parse(value, ["fileInfo", String(index)]));
  }
  return values.map((value, index) => parse(value, values.length === 1 ? ["fileInfo"] : ["fileInfo", String(index)]));
};
