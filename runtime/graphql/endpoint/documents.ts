/** The texts of operations: how deeply they may nest, and a cache of those that were parsed, limited by its memory. */
import { GraphQLError, Lexer, Source, TokenKind, type DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

/** Most operations, and most bytes of memory for all of them together. */
const DOCUMENTS = { max: 1024, maxSize: 32_000_000 };
/**
 * Bytes that a token takes at most, with the nodes that are made of it: a name alone, which is a field, takes the most.
 * Measured with Node 20.
 */
const TOKEN = 500;
/** Bytes that a character of the text takes at most. */
const CHARACTER = 2;

const weigh = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 1;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * TOKEN + text.length * CHARACTER;
};

/** Strangers decide what is parsed, so what is remembered is limited by its memory, not by its number alone. */
export const parsedDocuments = (): LRUCache<string, DocumentNode> =>
  new LRUCache({ ...DOCUMENTS, sizeCalculation: weigh });

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
