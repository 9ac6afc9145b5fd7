/** Operations that were parsed, by their text: as many as fit into a certain amount of memory. */
import type { DocumentNode } from "graphql";
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
