/** The words of a version for full-text search: an expression, and the index that makes lookups fast. */
import { type SQL, sql } from "drizzle-orm";
import { getTableName } from "drizzle-orm";
import { type AnyPgColumn, index } from "drizzle-orm/pg-core";
import { identifier } from "../base/identifier.ts";

/** How much a word counts for the order by score: `A` counts most. */
export type SearchWeight = "A" | "B" | "C" | "D";

/** How the documents of a type are searched, by `options.search`. */
export interface Searching {
  /** The language of types that have no locales; undefined for words as they are. */
  readonly language?: string;
  /** The attributes in the index, and how much their words count. */
  readonly weights: Readonly<Record<string, SearchWeight>>;
}

/** A text that is searched. */
export interface WeightedText {
  readonly text: SQL;
  readonly weight: SearchWeight;
}

const WEIGHTS: readonly SearchWeight[] = ["A", "B", "C", "D"];

const joined = (texts: readonly SQL[]): SQL =>
  texts.length === 0
    ? sql.raw("''")
    : sql.join(
        texts.map((text) => sql`coalesce(${text}, '')`),
        sql.raw(" || ' ' || "),
      );

/** The language that a locale stands for, as SQL. */
export const languageOf = (locale: AnyPgColumn | undefined, language = ""): SQL => {
  if (locale) return sql`${locale}::text`;
  if (!/^[A-Za-z-]*$/.test(language)) throw new Error(`Not a language: ${language}`);
  return sql.raw(`'${language}'`);
};

/** The words of some texts in a language. Equal texts in the same order give the expression of the index. */
export const wordsOf = (language: SQL, texts: readonly WeightedText[]): SQL => {
  const byWeight = WEIGHTS.map((weight) =>
    joined(texts.flatMap((each) => (each.weight === weight ? [each.text] : []))),
  );
  return sql`galley_words(${language}, ${sql.join(byWeight, sql`, `)})`;
};

/** The text in a column; of JSON, that at the paths. */
export const textIn = (column: AnyPgColumn, paths: readonly string[] | undefined): SQL => {
  if (!paths) return sql`${column}::text`;
  const quoted = paths.map((path) => `'${path.replaceAll("'", "''")}'`);
  return paths.length === 0
    ? sql.raw("''")
    : sql`galley_texts(${column}, ${sql.raw(`array[${quoted.join(", ")}]::jsonpath[]`)})`;
};

/** How much the words of an attribute count; of JSON, those at the SQL/JSON paths. */
type IndexedWords = SearchWeight | { readonly weight: SearchWeight; readonly paths: readonly string[] };

/** The name of a table's index for full-text search. */
export const searchIndexName = (table: string): string => identifier(table, "words", "idx");

/**
 * The index for full-text search: of the text in these attributes that is not private.
 *
 * @param language for types without locales
 */
export const searchIndex = <Version extends { readonly id: AnyPgColumn; readonly locale?: AnyPgColumn }>(
  version: Version,
  words: { readonly [Name in keyof Version]?: IndexedWords },
  language?: string,
) => {
  const columns: Readonly<Record<string, AnyPgColumn>> = { ...version };
  const texts = Object.entries(words).flatMap(([name, indexed]: [string, IndexedWords | undefined]) => {
    const column = columns[name];
    if (!column || !indexed) return [];
    if (typeof indexed === "string") return [{ text: textIn(column, undefined), weight: indexed }];
    return [{ text: textIn(column, indexed.paths), weight: indexed.weight }];
  });
  const name = searchIndexName(getTableName(version.id.table));
  return index(name).using("gin", wordsOf(languageOf(version.locale, language), texts));
};
