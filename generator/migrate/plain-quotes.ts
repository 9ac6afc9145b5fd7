/** Removes dollar quotes from hand-written SQL, as they could end the body of the function that contains it. */
import { literal } from "./sql.ts";

const TEXT = /([eE]?)'((?:[^']|'')*)'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$([\s\S]*?)\$\3\$/g;

/** The same expression with dollar-quoted texts in plain quotes, and no two adjacent dollars in any text. */
export const withPlainQuotes = (sql: string): string =>
  sql.replaceAll(TEXT, (text, escapes: string | undefined, quoted: string | undefined, _tag, dollars?: string) => {
    if (dollars !== undefined) return literal(dollars);
    if (quoted === undefined || !quoted.includes("$$")) return text;
    return escapes ? text.replaceAll("$$", String.raw`\x24$`) : literal(quoted.replaceAll("''", "'"));
  });
