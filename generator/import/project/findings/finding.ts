/** Something in the project that is not imported: what it is, where it is, and its counterpart here. */
import type { Place } from "../code/parse.ts";
import kinds from "./kinds.json" with { type: "json" };

/**
 * By kind: the group's name, its counterpart here, the page that explains it, and whether users of the site would not
 * notice it, or other groups call it. What they would notice first comes first.
 */
export { kinds };

export type FindingKind = keyof typeof kinds;

export interface Finding {
  readonly kind: FindingKind;
  /** Such as `beforeCreate of api::article.article`. */
  readonly name: string;
  readonly at: Place;
  /** Set if the file contains several findings of the same kind. */
  readonly otherLines?: readonly number[];
  /** Notes on this finding. */
  readonly note?: string;
  /** The file with a starter for it. */
  readonly starter?: string;
  /** Whether users of the site would not notice its absence. */
  readonly isMinor?: boolean;
}

/** A finding at a place, or in a file as a whole. */
export const finding = (
  kind: FindingKind,
  name: string,
  at: Place | string,
  ...notes: readonly (string | undefined)[]
): Finding => {
  const note = notes.filter((each) => each !== undefined && each !== "").join("; ");
  const place = typeof at === "string" ? { file: at, line: 1 } : at;
  return { kind, name, at: place, ...(note !== "" && { note }) };
};

/** Whether it needs no decision before the site can be used. */
export const isMinor = (finding: Finding): boolean => finding.isMinor ?? kinds[finding.kind].minor;
