/** Sentences of the documentation that say "never", "always", "all", "only", "every", "nobody", "nothing" or "no". */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "./processes.ts";

const CLAIM = /\b(?:never|always|all|only|every|nobody|nothing|no)\b(?! longer| more than| matter)/i;
/** Cells such as `nobody` and `not at all` claim nothing by themselves: the heads of their row and column do. */
const WORDS = 4;

/** About the code of this repository, or written from the list of codes, which tests compare. */
export const APART: ReadonlySet<string> = new Set([
  // A list of the pages.
  "README.md",
  "reference/architecture.md",
  "reference/dependencies.md",
  "reference/diagnostics.md",
]);

/** Paragraphs, items of lists and cells of tables, without blocks of code. */
const piecesOf = (page: string): readonly string[] =>
  page
    .replaceAll(/^( *)```.*?^ *```\n/gms, "\n")
    .replaceAll(/<!--.*?-->/gs, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((piece) => {
      if (piece.trimStart().startsWith("#")) return [];
      if (!piece.trimStart().startsWith("|")) return [piece];
      return piece.split("\n").flatMap((row) => row.split(/(?<!\\)\|/));
    });

const sentencesIn = (piece: string): readonly string[] =>
  piece
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:[-*]|\d+\.) /, "")
    .split(/(?<=[.!?:;]) (?=[A-Z`*_[])/);

/** The claims of a page of docs/, in their order. */
export const claimsOf = async (page: string): Promise<readonly string[]> => {
  const text = await readFile(path.join(repository, "docs", page), "utf8");
  const claims = piecesOf(text)
    .flatMap(sentencesIn)
    .filter((sentence) => sentence.split(" ").length >= WORDS)
    .filter((sentence) => CLAIM.test(sentence.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "")));
  return [...new Set(claims)];
};
