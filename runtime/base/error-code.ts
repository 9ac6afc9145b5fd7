/** Whether an error has this code: a system one such as `ENOENT`, or one of Node.js's own. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** File system errors that the user can fix: missing permissions, or a read-only or full file system. */
const FILE_FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);
/** Those among them whose messages do not name the file when a write fails. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error says that a file may not be read or written, or that there is no space for it. */
export const isFileFault = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (FULL.has(error.code) || (FILE_FAULTS.has(error.code) && "path" in error));
