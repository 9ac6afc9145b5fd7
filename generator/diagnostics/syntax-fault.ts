/** Locates and explains JSON syntax errors. */
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { TextRange } from "./diagnostic.ts";

const details: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: "unknown word: strings and keys stand in double quotes",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a key in double quotes expected",
  ValueExpected: "a value expected",
  ColonExpected: "':' expected",
  CommaExpected: "',' expected",
  CloseBraceExpected: "'}' expected",
  CloseBracketExpected: "']' expected",
  EndOfFileExpected: "the value has ended before this",
  InvalidCommentToken: "comments are not part of JSON",
  UnexpectedEndOfComment: "comments are not part of JSON",
  UnexpectedEndOfString: "the string does not end on its line",
  UnexpectedEndOfNumber: "the number is not finished",
  InvalidUnicode: "'\\u' takes four hexadecimal digits",
  InvalidEscapeCharacter: "no such escape in strings of JSON",
  InvalidCharacter: "control characters in strings have to be escaped",
  "<unknown ParseErrorCode>": "JSON does not know this",
};

const isTrailingComma = (text: string, { offset }: ParseError): boolean =>
  /[}\]]/.test(text.charAt(offset)) && text.slice(0, offset).trimEnd().endsWith(",");

const detailOf = (text: string, fault: ParseError): string => {
  if (text.trim() === "") return "the file is empty";
  return isTrailingComma(text, fault)
    ? "trailing commas are not part of JSON"
    : details[printParseErrorCode(fault.error)];
};

/** The first syntax error of `text`, given the error that `JSON.parse` threw. */
export const findSyntaxFault = (text: string, thrown: Error): TextRange & { readonly detail: string } => {
  const faults: ParseError[] = [];
  parseTree(text, faults, { disallowComments: true });
  const [first] = faults;
  if (first) return { start: first.offset, length: Math.max(1, first.length), detail: detailOf(text, first) };
  const start = Number(/position (\d+)/.exec(thrown.message)?.[1] ?? text.length);
  return { start, length: 1, detail: details["<unknown ParseErrorCode>"] };
};
