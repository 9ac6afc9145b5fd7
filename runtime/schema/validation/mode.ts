/**
 * `create`: everything is checked, and required values must be present; `update`: missing values stay unchanged;
 * `draft`: only types, upper limits and enumerations are checked; `newDraft`: like `draft`, but required lists must be
 * present.
 */
export type Mode = "create" | "update" | "draft" | "newDraft";

/** Whether required values may be missing. */
export const isLenient = (mode: Mode): boolean => mode === "draft" || mode === "newDraft";

/** Whether the document does not exist yet. */
export const isNew = (mode: Mode): boolean => mode === "create" || mode === "newDraft";

/** How a body is checked. */
export interface Rules {
  readonly mode: Mode;
  /** Whether required relations and files must be present. */
  readonly strictRelations: boolean;
  /** Set for a schema that is to be compiled and only says whether a body is valid. */
  readonly isCompiled?: true;
}
