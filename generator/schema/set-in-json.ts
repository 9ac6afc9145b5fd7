/** Edits the text of a JSON file and leaves the rest of it as it is. */
import { applyEdits, findNodeAtLocation, type JSONPath, modify, parseTree } from "jsonc-parser";

type Place = (present: string[]) => number;

/** @param placeOf where a new key stands among those that are there; by default last */
export const setInJson = (text: string, path: JSONPath, value: unknown, placeOf?: Place): string => {
  const root = parseTree(text);
  const end = path.findIndex((_, index) => root && findNodeAtLocation(root, path.slice(0, index))?.type === "null");
  // Null stands for an object that is absent.
  if (end > 0) {
    const whole = path.slice(end).reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
    return setInJson(text, path.slice(0, end), whole);
  }
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
