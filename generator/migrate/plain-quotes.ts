/** Texts in SQL that somebody wrote, without what ends the body of a function that it becomes a part of. */
import { literal } from "./sql.ts";

const TEXT = /([eE]?)'((?:[^']|'')*)'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$([\s\S]*?)\$\3\$/g;

/** The same expression with texts between dollars in quotes, and with no two dollars side by side in any text. */
export const withPlainQuotes = (sql: string): string =>
  sql.replaceAll(TEXT, (text, escapes: string | undefined, quoted: string | undefined, _tag, dollars?: string) => {
    if (dollars !== undefined) return literal(dollars);
    if (quoted === undefined || !quoted.includes("$$")) return text;
    return escapes ? text.replaceAll("$$", String.raw`\x24$`) : literal(quoted.replaceAll("''", "'"));
  });
