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

/** All text in a column, including JSON: at least all that anyone may see of it. */
export const wholeText = (column: AnyPgColumn): SQL =>
  column.columnType === "PgJson" ? sql`galley_texts(${column})` : sql`${column}::text`;

/** The name of a table's index for full-text search. */
export const searchIndexName = (table: string): string => identifier(table, "words", "idx");

/**
 * The index for full-text search: of all text in these attributes, as {@link wholeText} finds it.
 *
 * @param language for types without locales
 */
export const searchIndex = <Version extends { readonly id: AnyPgColumn; readonly locale?: AnyPgColumn }>(
  version: Version,
  weights: { readonly [Name in keyof Version]?: SearchWeight },
  language?: string,
) => {
  const columns: Readonly<Record<string, AnyPgColumn>> = { ...version };
  const texts = Object.entries(weights).flatMap(([name, weight]: [string, SearchWeight | undefined]) => {
    const column = columns[name];
    return column && weight ? [{ text: wholeText(column), weight }] : [];
  });
  const name = searchIndexName(getTableName(version.id.table));
  return index(name).using("gin", wordsOf(languageOf(version.locale, language), texts));
};
