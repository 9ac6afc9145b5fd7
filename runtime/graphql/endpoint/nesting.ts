/** Refuses texts whose brackets nest without end: what reads them calls itself for each. */
import { GraphQLError, Lexer, Source, TokenKind } from "graphql";

/** Deeper than any operation is; bodies may nest as deep. */
const DEEPEST = 200;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Whether a text has so few brackets, those in strings too, that they cannot nest too deeply. */
const hasFewBrackets = (text: string): boolean => {
  let count = 0;
  for (const character of text) if (character === "{" || character === "[" || character === "(") count += 1;
  return count <= DEEPEST;
};

/** Throws a GraphQLError when an operation's text nests too deeply, or before that holds what is no token. */
export const checkNesting = (text: string): void => {
  if (hasFewBrackets(text)) return;
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (OPENING.has(token.kind)) depth += 1;
    if (CLOSING.has(token.kind)) depth -= 1;
    if (depth > DEEPEST) throw new GraphQLError("Syntax Error: The operation is nested too deeply.");
  }
};
