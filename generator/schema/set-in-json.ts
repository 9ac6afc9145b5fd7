/** Edits the text of a JSON file and leaves the rest of it as it is. */
import { applyEdits, type JSONPath, modify } from "jsonc-parser";

type Place = (present: string[]) => number;

/** @param placeOf where a new key stands among those that are there; by default last */
export const setInJson = (text: string, path: JSONPath, value: unknown, placeOf?: Place): string => {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions, ...(placeOf && { getInsertionIndex: placeOf }) }),
  );
};
