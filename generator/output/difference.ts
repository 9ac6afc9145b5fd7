import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { PlannedFile } from "./plan.ts";

/** A unified diff from what is on disk to what would be generated; `name` is how the file is called in it. */
export const differenceOf = ({ before, after }: PlannedFile, name: string): string =>
  createTwoFilesPatch(
    before === undefined ? "/dev/null" : `a/${name}`,
    after === undefined ? "/dev/null" : `b/${name}`,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
