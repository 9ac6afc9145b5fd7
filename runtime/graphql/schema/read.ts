/**
 * Resolvers below a root field. All values were read with the root, so they only look into the row:
 * attributes stand under their name, and what a selection populates stands under `@` and its response key,
 * because two aliases of one relation may have different arguments.
 */
import type { GraphQLResolveInfo } from "graphql";
import type { Node } from "../builder.ts";

/** The member of a row that a populated field of this response key is read from. */
export const populatedKey = (responseKey: string | number): string => `@${responseKey}`;

/** The value of an attribute; the schema's types were made from the same descriptors as the row. */
export const read = (row: Node, _args: unknown, _context: unknown, info: GraphQLResolveInfo): never =>
  row[info.fieldName] as never;

/** The value of a relation, media, component or zone. */
export const readPopulated = (row: Node, _args: unknown, _context: unknown, info: GraphQLResolveInfo): never =>
  row[populatedKey(info.path.key)] as never;
