/** Full-text search: the condition that selects versions matching the words of a query, and their order by score. */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type MarkedText, markedText } from "./snippets.ts";
import { isSearched, type MembersOf, type SearchedMember, wordPathsOf } from "./text-paths.ts";
import { languageOf, type Searching, textIn, wordsOf, type WeightedText } from "./vector.ts";

/** A version to search, as the caller sees it. */
export interface SearchedVersion {
  readonly searching: Searching;
  readonly members: Iterable<SearchedMember & { readonly column?: AnyPgColumn | undefined }>;
  readonly membersOf: MembersOf;
  readonly locale: AnyPgColumn | undefined;
  readonly documentId: AnyPgColumn;
  /** The words of all texts that anyone may find. */
  readonly stored: SQL;
  /** A column of the version's table. */
  column(column: AnyPgColumn): AnyPgColumn;
}

/** What to search for: words and, for types with locales, the locales of the query. */
export interface Wanted {
  readonly words: SQL;
  readonly locales: readonly SQL[];
  /** Whether words may have a typo; undefined where they never may. */
  readonly typos?: SQL | undefined;
  /** The documentIds that an engine outside has found, best first; undefined where PostgreSQL finds them. */
  readonly hits?: SQL | undefined;
  /** Conditions for versions that show files with the words. */
  readonly files?: readonly SQL[] | undefined;
}

/** The texts that the caller may see. */
interface VisibleTexts {
  readonly visible: readonly WeightedText[];
  /** Whether these are all that are stored. */
  readonly isWhole: boolean;
}

/** The paths of a member's texts; undefined if all of its column is text. */
const pathsOf = (member: SearchedMember, membersOf: MembersOf, includes: typeof isSearched) =>
  member.kind === "scalar" && member.type !== "blocks" ? undefined : wordPathsOf(member, membersOf, includes);

const isIndexed = ({ indexed }: SearchedMember<string>): boolean => indexed === true;

const textsIn = ({
  searching,
  members,
  membersOf,
  column,
}: Omit<SearchedVersion, "locale" | "documentId" | "stored">): VisibleTexts => {
  const texts = { visible: new Array<WeightedText>(), isWhole: true };
  const byName = new Map([...members].map((member) => [member.name, member]));
  for (const [name, weight] of Object.entries(searching.weights)) {
    const member = byName.get(name);
    if (member?.column === undefined) continue;
    const own = column(member.column);
    const paths = pathsOf(member, membersOf, isIndexed);
    const visible = isSearched(member) && pathsOf(member, membersOf, isSearched);
    if (visible !== false) texts.visible.push({ text: textIn(own, visible), weight });
    texts.isWhole &&= visible !== false && String(visible) === String(paths);
  }
  return texts;
};

/** Whether an engine outside may know a member: what the configuration makes private is in the index, but stays here. */
export const isShared = (member: SearchedMember<string>): boolean => isIndexed(member) && member.secret !== true;

/** The texts for an engine outside: of attributes in this order. */
export const sharedTexts = (
  names: readonly string[],
  members: ReadonlyMap<string, SearchedMember & { readonly column?: AnyPgColumn | undefined }>,
  membersOf: MembersOf,
): readonly SQL[] =>
  names.map((name) => {
    const member = members.get(name);
    if (!member?.column) throw new Error(`${name} has no text`);
    return textIn(member.column, pathsOf(member, membersOf, isShared));
  });

/** Whether a caller sees all words that are stored. */
export const seesAllWords = (version: Pick<SearchedVersion, "searching" | "members" | "membersOf">): boolean =>
  textsIn({ ...version, column: (column) => column }).isWhole;

/** The words that the caller may see: those that are stored, or else computed from text, which takes longer. */
const visibleWords = (version: SearchedVersion): Pick<VisibleTexts, "isWhole"> & { readonly words: SQL } => {
  const { visible, isWhole } = textsIn(version);
  const { stored, locale, searching } = version;
  return { words: isWhole ? stored : wordsOf(languageOf(locale, searching.language), visible), isWhole };
};

/** What functions take after the words. */
const mistaken = ({ typos }: Wanted): SQL => (typos ? sql`, ${typos}::boolean` : sql``);

/** Parses the query once, not for each row. */
export const queryIn = (language: SQL, wanted: Wanted): SQL =>
  sql`(select galley_query(${language}, ${wanted.words}::text${mistaken(wanted)}))`;

/** The query in the language of a version. */
const queriesIn = ({ locale, searching }: SearchedVersion, wanted: Wanted): SQL => {
  if (!locale) return queryIn(languageOf(undefined, searching.language), wanted);
  return sql`case ${locale}${sql.join(wanted.locales.map((code) => sql` when ${code} then ${queryIn(code, wanted)}`))} end`;
};

/** A condition, or one of its alternatives. */
export const orAny = (condition: SQL, alternatives: readonly SQL[]): SQL =>
  alternatives.length === 0 ? condition : sql`(${or(condition, ...alternatives)})`;

/**
 * The condition for versions that match the words. Where the caller may not see all words that are stored, a version that
 * these find is matched again against the visible ones.
 */
export const hasWords = (version: SearchedVersion, wanted: Wanted): SQL => {
  const { hits, files = [] } = wanted;
  if (hits) return orAny(sql`${version.documentId} = any(${hits}::text[])`, files);
  const { words, isWhole } = visibleWords(version);
  const matches = (language: SQL): SQL | undefined => {
    const query = queryIn(language, wanted);
    return and(sql`${version.stored} @@ ${query}`, isWhole ? undefined : sql`${words} @@ ${query}`);
  };
  const { locale, searching } = version;
  if (!locale) return sql`(${or(matches(languageOf(undefined, searching.language)), ...files)})`;
  const isInAny = or(...wanted.locales.map((code) => eq(locale, code)));
  const byWords = wanted.locales.map((code) => and(eq(locale, code), matches(code)));
  return sql`(${and(isInAny, or(...byWords, ...files)) ?? sql.raw("false")})`;
};

/** The text of a version that the caller may see, weightiest first, with the words found marked. */
export const markedIn = (version: SearchedVersion, wanted: Wanted): MarkedText => {
  const { locale, searching } = version;
  const visible = textsIn(version).visible.toSorted((one, other) => (one.weight < other.weight ? -1 : 1));
  const text = sql`concat_ws(' ', ${sql.join([...visible.map((each) => each.text), sql.raw("''")], sql`, `)})`;
  const query = wanted.typos ? queriesIn(version, wanted) : sql`${wanted.words}::text`;
  return markedText(languageOf(locale, searching.language), query, text);
};

/** The score of a version: words count by their weight, and only those that the caller may see count. */
export const scoreOf = (version: SearchedVersion, wanted: Wanted): SQL => {
  const { hits, files = [] } = wanted;
  if (!hits) return sql`ts_rank(${visibleWords(version).words}, ${queriesIn(version, wanted)})`;
  const position = sql`array_position(${hits}::text[], ${version.documentId}::text)`;
  // The engine does not know what files have found; this follows all that the engine has found.
  return files.length === 0 ? sql`- ${position}` : sql`- coalesce(${position}, cardinality(${hits}::text[]) + 1)`;
};
