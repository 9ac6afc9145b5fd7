/** The header line's source: a file's path as one line of comment. */
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/gu;

/** @param file Path of the schema file; undefined for a type that the package brings along. */
export const sourceLine = (file: string | undefined): string => (file ?? "a built-in schema").replace(CONTROL, "?");
