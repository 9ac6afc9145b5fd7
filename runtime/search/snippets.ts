/** Snippets: the part of a document's text in which a search found words, with these marked. */
import { type SQL, sql } from "drizzle-orm";

/** Characters of private use, which stand for the beginning and the end of a found word. */
const [BEGIN, END] = ["\u{E000}", "\u{E001}"];

/** The length of a snippet, and how much of it precedes the first word found, in characters. */
const LENGTH = 200;
const BEFORE = 60;

/** A text of which the words found are marked: itself, and a copy without accents with the marks. */
export interface MarkedText {
  readonly text: SQL;
  readonly marked: SQL;
}

/**
 * Marks the words of a query in a text.
 *
 * @param query the words as text, or the query that was made of them
 */
export const markedText = (language: SQL, query: SQL, text: SQL): MarkedText => ({
  text: sql`galley_excerpt(${text})`,
  marked: sql`galley_marked(${language}, ${query}, ${text})`,
});

/** A range of characters. */
type Range = readonly [from: number, to: number];

/** The marked ranges of a text, and its characters. */
const rangesIn = (marked: string): { readonly characters: readonly string[]; readonly ranges: readonly Range[] } => {
  const characters: string[] = [];
  const ranges: Range[] = [];
  let from: number | undefined;
  for (const character of marked) {
    if (character === BEGIN) from = characters.length;
    else if (character !== END) characters.push(character);
    else if (from !== undefined) {
      ranges.push([from, characters.length]);
      from = undefined;
    }
  }
  return { characters, ranges };
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (characters: readonly string[]): string =>
  characters.map((character) => ENTITIES[character] ?? character).join("");

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

/** The part that begins before the first word and has the most words, between spaces. */
const windowOf = (characters: readonly string[], ranges: readonly Range[]): Range => {
  let [best, most, next] = [0, 0, 0];
  for (const [index, [start]] of ranges.slice(0, LENGTH).entries()) {
    while ((ranges[next]?.[0] ?? Infinity) < start + LENGTH - BEFORE) next += 1;
    if (next - index > most) [best, most] = [start, next - index];
  }
  let from = Math.max(0, best - BEFORE);
  while (from > 0 && from < best && !isSpace(characters[from - 1])) from += 1;
  let to = Math.min(characters.length, from + LENGTH);
  while (to < characters.length && to > best + BEFORE && !isSpace(characters[to])) to -= 1;
  return [from, to];
};

/**
 * The snippet of a text as HTML: all markup in the text is escaped, and the words found are in `<mark>`.
 *
 * @param marked the text with marks, possibly without its accents
 */
export const snippetOf = (text: string, marked: string): string => {
  const { characters, ranges } = rangesIn(marked);
  const own = [...text];
  const shown = own.length === characters.length ? own : characters;
  const [from, to] = windowOf(shown, ranges);
  let html = from > 0 ? "…" : "";
  let at = from;
  for (const [start, end] of ranges) {
    if (start < at || end > to) continue;
    html += `${escaped(shown.slice(at, start))}<mark>${escaped(shown.slice(start, end))}</mark>`;
    at = end;
  }
  return `${html}${escaped(shown.slice(at, to))}${to < shown.length ? "…" : ""}`;
};

/** The snippets of rows by their ids, of texts and the same with marks; empty for rows that have gone. */
export const snippetsOf = (ids: readonly number[], texts: readonly (readonly unknown[])[]): readonly string[] => {
  const byId = new Map(texts.map(([id, text, marked]) => [Number(id), snippetOf(String(text), String(marked))]));
  return ids.map((id) => byId.get(id) ?? "");
};
