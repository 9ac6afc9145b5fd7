/** Parses `fileInfo`, the information that a client sends about a file. */
import { z } from "zod";
import { isRecord } from "../base/is-record.ts";
import { type FieldError, validationError } from "../schema/validation/check.ts";
import { notOfType } from "../schema/validation/messages.ts";
import { pathText, valueText } from "../schema/validation/print.ts";

/** Form fields are always text, so texts that look like numbers or booleans are converted. */
const text = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  z.string().nullish(),
);
const percent = z.number().min(0).max(100);

const fileInfo = z.object({
  name: text,
  alternativeText: text,
  caption: text,
  /** The most important point of the image, in percent from the left and the top. */
  focalPoint: z.object({ x: percent, y: percent }).nullish(),
});

export type FileInfo = z.output<typeof fileInfo>;

type Path = readonly PropertyKey[];

/** The fault of a value that is neither an object or list nor JSON of one. */
const unfit = (path: Path, type: "object" | "array", sent: unknown): FieldError => {
  const cast = sent === null ? "" : ` (cast from the value \`${valueText(sent)}\`)`;
  const message = `${pathText(path)} must be a \`${type}\` type, but the final value was: \`null\`${cast}.`;
  return { path: path.map(String), message, name: "ValidationError", value: null };
};

const message = (at: Path, issue: z.core.$ZodIssue, value: unknown): string => {
  if (issue.code === "too_small") return `${pathText(at)} must be greater than or equal to ${issue.minimum}`;
  if (issue.code === "too_big") return `${pathText(at)} must be less than or equal to ${issue.maximum}`;
  if (value === undefined) return `${pathText(at)} is a required field`;
  const expected = issue.code === "invalid_type" ? issue.expected : "string";
  return notOfType(expected, at, value);
};

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (whole, key) => (typeof whole === "object" && whole !== null ? Reflect.get(whole, key) : undefined),
    value,
  );

/** A parsed value, or the value of a JSON text; undefined if the text is not JSON. */
const fromJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** Parses one entry. Unknown members are ignored, since clients send some of other versions of this format. */
const parse = (sent: unknown, path: Path, problems: FieldError[]): FileInfo => {
  const value = fromJson(sent);
  if (!isRecord(value)) {
    problems.push(unfit(path, "object", sent));
    return {};
  }
  const result = fileInfo.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = [...path, ...issue.path];
    const wrong = at(value, issue.path);
    problems.push({
      path: place.map(String),
      message: message(place, issue, wrong),
      name: "ValidationError",
      ...(wrong === undefined ? {} : { value: wrong }),
    });
  }
  return {};
};

/**
 * Parses the `fileInfo` of one file: JSON texts from a form, or values that are parsed already.
 *
 * @returns the information; undefined if there is none
 * @throws ValidationError naming what is wrong
 */
export const readOneFileInfo = (given: readonly unknown[]): FileInfo | undefined => {
  if (given.length === 0) return undefined;
  const problems: FieldError[] = [];
  const info = parse(given.length === 1 ? given[0] : given, ["fileInfo"], problems);
  if (problems.length > 0) throw validationError(problems);
  return info;
};

/**
 * Parses the `fileInfo` of several files: a JSON text for each, or one list.
 *
 * @returns one entry for each file that has information, in the order of the files
 */
export const readFileInfos = (given: readonly unknown[]): readonly FileInfo[] => {
  if (given.length === 0) return [];
  const list = given.length === 1 ? fromJson(given[0]) : given;
  if (!Array.isArray(list)) throw validationError([unfit(["fileInfo"], "array", given[0])]);
  const problems: FieldError[] = [];
  const infos = list.map((each: unknown, index) => parse(each, ["fileInfo", index], problems));
  if (problems.length > 0) throw validationError(problems);
  return infos;
};
