/** Whether anybody has edited a generated migration. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { checksumOf } from "../../../runtime/database/migrations/files.ts";
import type { Recorded } from "./history.ts";

const sumOf = (file: string): string | undefined =>
  existsSync(file) ? checksumOf(readFileSync(file, "utf8")) : undefined;

/** Whether its SQL is as generated; unknown for migrations without checksums. */
export const isUntouched = (folder: string, { name, snapshot: { written } }: Recorded): boolean =>
  written !== undefined &&
  sumOf(path.join(folder, name, "up.sql")) === written.up &&
  sumOf(path.join(folder, name, "down.sql")) === written.down;
