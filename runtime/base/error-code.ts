/** Whether an error has this code: one of the system such as `ENOENT`, or one of Node.js. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Faults of files and folders that the user can mend: rights, a file system that is read-only or full. */
const FILE_FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);
/** Of these, errors of writes do not name the file. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error says that a file may not be read or written, or that there is no room for it. */
export const isFileFault = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (FULL.has(error.code) || (FILE_FAULTS.has(error.code) && "path" in error));
