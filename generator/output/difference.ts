import { formatPatch, structuredPatch } from "diff";
import type { PlannedFile } from "./plan.ts";

/** A unified diff from what is on disk to what would be generated; `name` is how the file is called in it. */
export const differenceOf = ({ before, after }: PlannedFile, name: string): string => {
  const from = before === undefined ? "/dev/null" : `a/${name}`;
  const to = after === undefined ? "/dev/null" : `b/${name}`;
  const patch = structuredPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
  return formatPatch(patch).replace(/^=+\n/, "");
};
