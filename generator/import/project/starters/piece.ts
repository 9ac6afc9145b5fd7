/** Parts of starters: the code to write, and the original code beside it. */
import type { Place } from "../code/parse.ts";

export type Section = "hooks" | "queries" | "policies" | "routes" | "tasks" | "starting";

export interface Piece {
  /** The type whose extension it belongs to; undefined for `app.ts`. */
  readonly uid: string | undefined;
  readonly section: Section;
  /** Its name there. */
  readonly key: string;
  /** TypeScript from the name on, without a trailing comma. */
  readonly code: string;
  readonly at: Place;
  /** Its source. */
  readonly original: string;
  /** What it is, and what it does until somebody implements it. */
  readonly remark: string;
  /** Named imports that it needs, by module relative to the root. */
  /** Its imports from `galley-cms/rest`. */
  readonly needs?: readonly string[];
  readonly imports?: readonly { readonly name: string; readonly file: string }[];
}

/** A file of code that a starter imports. */
export interface StarterModule {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
  /** Where it is used. */
  readonly at: Place;
  /** The original file, if it was found. */
  readonly original: string | undefined;
}

const LONGEST = 80;

/** Indents lines like the first one, which lost its indentation when it was cut out. */
const dedented = ([first = "", ...rest]: readonly string[]): readonly string[] => {
  const depths = rest.flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]));
  const least = Math.min(...depths, first.search(/\S|$/) === 0 ? Infinity : 0);
  return [first, ...rest.map((line) => line.slice(Number.isFinite(least) ? least : 0))];
};

/** Code as a comment, line by line, so that nothing in it ends the comment. */
export const asComment = (text: string, indent: string, file: string): readonly string[] => {
  const lines = dedented(text.split(/\r\n|[\n\r\u2028\u2029]/));
  const shown = lines.slice(0, LONGEST).map((line) => `${indent}//   ${line}`.trimEnd());
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${indent}//   … ${more} more lines in ${file}`] : shown;
};

/** A valid TypeScript name: `is-owner` becomes `isOwner`. */
export const identifier = (text: string): string => {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const camel = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("");
  return /^[a-z]/i.test(camel) ? camel : `own${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
};
