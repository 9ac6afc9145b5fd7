/** The texts of files, by which searches find the documents that show them. */
import { and, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { isSearched, type SearchedMember } from "./text-paths.ts";
import { textIn, wordsOf } from "./vector.ts";
import { queryIn, type Wanted } from "./words.ts";

/** The attributes of files that searches read. */
export const FILE_TEXTS = ["alternativeText", "caption"] as const;

/** Whether searches read the texts of the files of a media attribute, and the caller may see it. */
export const showsFiles = (member: SearchedMember<string> & { readonly media?: boolean }): boolean =>
  member.media === true && member.searchable === true && isSearched(member);

/** Files have no language: their words are found as they are written. */
const NO_LANGUAGE = sql.raw("''");

/** The words of the texts of a file. */
export const fileWords = (texts: readonly AnyPgColumn[]): SQL =>
  wordsOf(
    NO_LANGUAGE,
    texts.map((column) => ({ text: textIn(column, undefined), weight: "D" })),
  );

/**
 * Whether the texts of a file match the words.
 *
 * @param stored the words of all its texts
 * @param visible the texts that the caller may see
 */
export const hasFileWords = (stored: SQL, visible: readonly AnyPgColumn[], wanted: Wanted): SQL | undefined => {
  const query = queryIn(NO_LANGUAGE, wanted);
  const isWhole = visible.length === FILE_TEXTS.length;
  return and(sql`${stored} @@ ${query}`, isWhole ? undefined : sql`${fileWords(visible)} @@ ${query}`);
};
