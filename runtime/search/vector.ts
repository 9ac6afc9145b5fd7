/** The words of a version for full-text search: a column that PostgreSQL keeps up to date, and its index. */
import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, customType, index, type PgTable } from "drizzle-orm/pg-core";
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

/** The words of some texts in a language. */
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

/** The column with the words of a row; the names of attributes never become it. */
const COLUMN = "galley_words";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The column with words, which statements never set: a trigger computes it, because that takes no lock to add. */
export const wordsColumn = (words: () => SQL) => ({ galleyWords: tsvector(COLUMN).generatedAlwaysAs(words) });

/** The words of a row of the table with this alias. */
export const storedWords = (alias: string): SQL => sql`${sql.identifier(alias)}.${sql.identifier(COLUMN)}`;

/**
 * The column for full-text search: of the text in these attributes that is not private.
 *
 * @param language for types without locales
 */
export const searchColumn = (
  version: () => PgTable,
  words: Readonly<Record<string, IndexedWords>>,
  language?: string,
) =>
  wordsColumn((): SQL => {
    const columns: Readonly<Record<string, AnyPgColumn>> = getTableColumns(version());
    const texts = Object.entries(words).flatMap(([name, indexed]) => {
      const column = columns[name];
      if (!column) return [];
      if (typeof indexed === "string") return [{ text: textIn(column, undefined), weight: indexed }];
      return [{ text: textIn(column, indexed.paths), weight: indexed.weight }];
    });
    return wordsOf(languageOf(columns["locale"], language), texts);
  });

/** The index that finds words. */
export const searchIndex = ({ galleyWords }: { readonly galleyWords: AnyPgColumn }) =>
  index(identifier(getTableName(galleyWords.table), "words", "idx")).using("gin", galleyWords);
