/** Full-text search of the rows of a type. */
import type { SQL } from "drizzle-orm";
import type { ComponentUid } from "../../schema/content-type.ts";
import { hasFileWords } from "../../search/file-texts.ts";
import { type MarkedText } from "../../search/snippets.ts";
import { storedWords } from "../../search/vector.ts";
import { hasWords, markedIn, scoreOf, type SearchedVersion, type Wanted } from "../../search/words.ts";
import type { Condition } from "../query.ts";
import { slot } from "./compile.ts";
import type { RowScope } from "./scope.ts";
import { filesIn } from "./searched-files.ts";

type Words = Extract<Condition, { readonly kind: "words" }>;

const wordsWanted = ({ words, locales, typos, hits }: Words): Wanted => ({
  words: slot(words),
  locales: locales.map(slot),
  typos: typos === undefined ? undefined : slot(typos),
  hits: hits === undefined ? undefined : slot(hits),
});

/** The same with conditions for rows that show files with the words. */
const wanted = (row: RowScope, condition: Words): Wanted => {
  const words = wordsWanted(condition);
  return { ...words, files: filesIn(row, (visible, stored) => hasFileWords(stored, visible, words)) };
};

const versionIn = (row: RowScope): SearchedVersion => {
  const { owner, build } = row;
  const { search, localized } = owner.type;
  if (!search) throw new Error(`${owner.uid} has no full text search`);
  return {
    searching: search,
    members: owner.members.values(),
    membersOf: (uid: ComponentUid) => build.schema.component(uid).members.values(),
    locale: localized ? row.locale : undefined,
    documentId: row.documentId,
    stored: storedWords(row.alias),
    column: (column) => row.column(column),
  };
};

/** The condition for rows that match the words. */
export const wordsIn = (row: RowScope, condition: Words): SQL => hasWords(versionIn(row), wanted(row, condition));

/** The text of a row with the words found marked. */
export const markedTextOf = (row: RowScope, condition: Words): MarkedText =>
  markedIn(versionIn(row), wordsWanted(condition));

/** The score of a row for the words. */
export const scoreIn = (row: RowScope, condition: Words): SQL => scoreOf(versionIn(row), wanted(row, condition));
