/**
 * How strictly a body is checked.
 * `create`: everything, and what is required must be there; `update`: what is absent stays as it is;
 * `draft`: types, upper limits and enumerations only; `newDraft`: and a required list must be there.
 */
export type Mode = "create" | "update" | "draft" | "newDraft";

/** Whether what is required may be missing. */
export const isLenient = (mode: Mode): boolean => mode === "draft" || mode === "newDraft";

/** Whether the document is not there yet. */
export const isNew = (mode: Mode): boolean => mode === "create" || mode === "newDraft";

/** How a body is checked. */
export interface Rules {
  readonly mode: Mode;
  /** Whether required relations and files have to be there. */
  readonly strictRelations: boolean;
}
