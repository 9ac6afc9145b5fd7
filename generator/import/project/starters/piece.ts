/** Parts of starters: what is written for a piece of code, and the piece itself, beside it. */
import type { Place } from "../code/parse.ts";

export type Section = "hooks" | "queries" | "policies" | "routes" | "tasks" | "starting";

export interface Piece {
  /** The type whose extension it belongs to; undefined for `app.ts`. */
  readonly uid: string | undefined;
  readonly section: Section;
  /** Its name there. */
  readonly key: string;
  /** TypeScript, from the name on, without a comma behind. */
  readonly code: string;
  readonly at: Place;
  /** As it was written. */
  readonly original: string;
  /** What it is and does until somebody has written it. */
  readonly remark: string;
  /** Named exports that it needs, by module relative to the root. */
  /** What it needs of `galley-cms/rest`. */
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
  /** The file that it stands for, where that was found. */
  readonly original: string | undefined;
}

const LONGEST = 80;

/** Lines as they stand below the first, which has lost its indentation when it was cut out. */
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

/** A name that TypeScript takes: `is-owner` becomes `isOwner`. */
export const identifier = (text: string): string => {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const camel = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("");
  return /^[a-z]/i.test(camel) ? camel : `own${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
};
