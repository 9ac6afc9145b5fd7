/** Whether an error has this code: one of the system such as `ENOENT`, or one of Node.js. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
