/** Full-text search: the condition that selects versions matching the words of a query, and their order by score. */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { formOf } from "../base/scalar-form.ts";
import { languageOf, type Searching, wholeText, wordsOf, type WeightedText } from "../schema/search-vector.ts";
import { type MembersOf, type SearchedMember, textPathsOf } from "./text-paths.ts";

/** A version to search, as the caller sees it. */
export interface SearchedVersion {
  readonly searching: Searching;
  readonly members: Iterable<SearchedMember & { readonly column?: AnyPgColumn | undefined }>;
  readonly membersOf: MembersOf;
  readonly locale: AnyPgColumn | undefined;
  /** A column of the version's table. */
  column(column: AnyPgColumn): AnyPgColumn;
}

/** What to search for: words and, for types with locales, the locales of the query. */
export interface Wanted {
  readonly words: SQL;
  readonly locales: readonly SQL[];
}

const list = (paths: readonly string[]): SQL =>
  sql.raw(`array[${paths.map((path) => `'${path}'`).join(", ")}]::jsonpath[]`);

const BLOCK_TEXTS = `.** ? (@.type == "text").text`;

/** The text of an attribute that the caller may see. */
const visibleText = (member: SearchedMember, column: AnyPgColumn, membersOf: MembersOf): SQL | undefined => {
  const { text, blocks } = textPathsOf(member, membersOf);
  if (member.kind === "scalar" && member.type !== "blocks")
    return formOf(member.type ?? "json") === "text" ? sql`${column}::text` : undefined;
  const paths = [...text, ...blocks.map((path) => `${path}${BLOCK_TEXTS}`)];
  return paths.length === 0 ? undefined : sql`galley_texts(${column}, ${list(paths)})`;
};

const isVisible = ({ hidden, secret, searchable }: SearchedMember): boolean =>
  !hidden && secret !== true && searchable !== false;

interface Words {
  /** All indexed words. */
  readonly indexed: SQL;
  /** The words that the caller may see. */
  readonly visible: SQL;
  /** Whether both are the same. */
  readonly isWhole: boolean;
}

const wordsIn = ({ searching, members, membersOf, locale, column }: SearchedVersion): Words => {
  const language = languageOf(locale, searching.language);
  const indexed: WeightedText[] = [];
  const visible: WeightedText[] = [];
  let isWhole = true;
  const byName = new Map([...members].map((member) => [member.name, member]));
  for (const [name, weight] of Object.entries(searching.weights)) {
    const member = byName.get(name);
    if (member?.column === undefined) continue;
    const own = column(member.column);
    const whole = wholeText(own);
    indexed.push({ text: whole, weight });
    const text = isVisible(member) ? visibleText(member, own, membersOf) : undefined;
    if (text) visible.push({ text, weight });
    isWhole &&= isVisible(member) && member.kind === "scalar" && member.type !== "blocks";
  }
  return { indexed: wordsOf(language, indexed), visible: wordsOf(language, visible), isWhole };
};

/** Parses the query once, not for each row. */
const queryIn = (language: SQL, words: SQL): SQL => sql`(select galley_query(${language}, ${words}::text))`;

/**
 * The condition for versions that match the words. The index also holds words that the caller may not see, so a version
 * that it finds is matched again against the visible words.
 */
export const hasWords = (version: SearchedVersion, { words, locales }: Wanted): SQL => {
  const { indexed, visible, isWhole } = wordsIn(version);
  const matches = (language: SQL): SQL | undefined => {
    const query = queryIn(language, words);
    return and(sql`${indexed} @@ ${query}`, isWhole ? undefined : sql`${visible} @@ ${query}`);
  };
  const { locale, searching } = version;
  const found = locale
    ? locales.map((code) => and(eq(locale, code), matches(code)))
    : [matches(languageOf(undefined, searching.language))];
  return sql`(${or(...found) ?? sql.raw("false")})`;
};

/** The score of a version: words count by their weight, and only those that the caller may see count. */
export const scoreOf = (version: SearchedVersion, { words, locales }: Wanted): SQL => {
  const { visible } = wordsIn(version);
  const score = (language: SQL): SQL => sql`ts_rank(${visible}, ${queryIn(language, words)})`;
  const { locale, searching } = version;
  if (!locale) return score(languageOf(undefined, searching.language));
  return sql`case ${locale}${sql.join(locales.map((code) => sql` when ${code} then ${score(code)}`))} end`;
};
