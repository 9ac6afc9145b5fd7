/** Writes the imported files. Keeps and reports files that somebody has edited since. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../../../runtime/base/private-folder.ts";
import { parseJson } from "../../../base/json.ts";

export interface WantedFile {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly content: string | Buffer;
  /** Removes what people may change without editing the file, such as ticks. */
  readonly essence?: (text: string) => string;
}

/**
 * The fate of a file: `kept` was edited here, and its source did not change; `apart` was edited or already existed, and
 * its new text is below `.cms/import`.
 */
export type Action = "created" | "updated" | "unchanged" | "kept" | "apart";

export interface PlannedWrite extends WantedFile {
  readonly action: Action;
}

const RECORD = ".cms/import.json";
/** The folder for files that may not replace others. */
export const APART = ".cms/import";

const record = z.record(z.string(), z.string()).catch({});

const hashOf = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/** The last run's output, as hashes by path. */
const written = (root: string): Readonly<Record<string, string>> => {
  const file = path.join(root, RECORD);
  return existsSync(file) ? record.parse(parseJson(readFileSync(file, "utf8"))) : {};
};

/** The hash that reveals an edit. */
const markOf = (content: string | Buffer, { essence }: WantedFile): string =>
  hashOf(essence ? essence(content.toString()) : content);

const actionFor = (
  wanted: WantedFile,
  current: Buffer | undefined,
  last: string | undefined,
  force: boolean,
): Action => {
  const mark = markOf(wanted.content, wanted);
  if (current === undefined) return last === mark && !force ? "kept" : "created";
  if (current.equals(Buffer.from(wanted.content))) return "unchanged";
  if (markOf(current, wanted) === last || force) return "updated";
  return mark === last ? "kept" : "apart";
};

/** Plans what to do with each file. */
export const planWrites = (root: string, wanted: readonly WantedFile[], force: boolean): readonly PlannedWrite[] => {
  const last = written(root);
  return wanted.map((each) => {
    const place = path.join(root, each.file);
    const current = existsSync(place) ? readFileSync(place) : undefined;
    return {
      ...each,
      action: actionFor(each, current, Object.hasOwn(last, each.file) ? last[each.file] : undefined, force),
    };
  });
};

const put = (root: string, file: string, content: string | Buffer): void => {
  const place = path.join(root, file);
  if (file.startsWith(".cms/")) return writePrivateFile(place, content);
  mkdirSync(path.dirname(place), { recursive: true });
  return writeFileSync(place, content);
};

/** Carries out the plan, and records it. */
export const carryOut = (root: string, plan: readonly PlannedWrite[]): void => {
  const entries = new Map(Object.entries(written(root)));
  for (const each of plan) {
    const { file, content, action } = each;
    if (action === "created" || action === "updated") put(root, file, content);
    if (action === "apart") put(root, `${APART}/${file}`, content);
    if (action !== "apart") entries.set(file, markOf(content, each));
  }
  put(root, RECORD, `${JSON.stringify(Object.fromEntries([...entries].toSorted()), null, 2)}\n`);
};
