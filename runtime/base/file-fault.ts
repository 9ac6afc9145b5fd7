/** Faults of files and folders that the user can mend: rights, a file system that is read-only or full. */

const FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);
/** Of these, errors of writes do not name the file. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether an error says that a file may not be read or written, or that there is no room for it. */
export const isFileFault = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && (FULL.has(error.code) || (FAULTS.has(error.code) && "path" in error));
