/** Operation texts: a limit on their nesting, and a cache of parsed documents that is limited by memory. */
import { GraphQLError, Lexer, Source, TokenKind, type DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

/** Limits of the cache: operations, and bytes of memory for all of them together. */
const DOCUMENTS = { max: 1024, maxSize: 32_000_000 };
/**
 * Bytes that a token and its AST nodes take at most: a name alone, which is a field, takes the most.
 * Measured with Node 20.
 */
const TOKEN = 500;
/** Bytes that a character takes at most. */
const CHARACTER = 2;

const weigh = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 1;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * TOKEN + text.length * CHARACTER;
};

/** Anybody can send operations to parse, so the cache limits memory, not only the number of entries. */
export const parsedDocuments = (): LRUCache<string, DocumentNode> =>
  new LRUCache({ ...DOCUMENTS, sizeCalculation: weigh });

/** Deeper than any real operation; JSON bodies have the same limit. */
const DEEPEST = 200;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Whether a text has too few brackets, including those in strings, to nest too deeply. */
const hasFewBrackets = (text: string): boolean => {
  let count = 0;
  for (const character of text) if (character === "{" || character === "[" || character === "(") count += 1;
  return count <= DEEPEST;
};

/** Throws a GraphQLError if an operation nests too deeply, or has an invalid token before that point. */
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
