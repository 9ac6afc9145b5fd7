/** Whether an error has this code: a system one such as `ENOENT`, or one of Node.js's own. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** File system errors that the user can fix: missing permissions, or a read-only file system. */
const FILE_FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);
/** Errors for a lack of space. A failed write does not name its file. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error says that a file may not be read or written, or that there is no space for it. */
export const isFileFault = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (FULL.has(error.code) || (FILE_FAULTS.has(error.code) && "path" in error));
