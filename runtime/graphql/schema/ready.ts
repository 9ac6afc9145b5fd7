/**
 * Fields that are ready: what they answer stands in the row that the root field has read. Where a query selects nothing
 * else, its answer is written without calling resolver after resolver.
 */
import type { GraphQLFieldResolver } from "graphql";
import type { Node } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Looks a value up in a row, by the name of the field and the key that it is answered under. */
export type Reader = (row: Node, name: string, key: string | number) => unknown;

export interface ReadyField {
  /** Undefined for fields of `Query` that read what is below them. */
  readonly reader?: Reader;
}

const fields = new WeakMap<object, ReadyField>();
const typeNames = new WeakMap<object, (entry: Node) => string | undefined>();

/** A resolver that looks into the row. */
export const fromRow = (reader: Reader) => {
  const resolve = (row: Node, _args: unknown, _context: unknown, { fieldName, path }: RowInfo): never =>
    reader(row, fieldName, path.key) as never;
  fields.set(resolve, { reader });
  return resolve;
};

/** What a reader needs of `GraphQLResolveInfo`. */
export interface RowInfo {
  readonly fieldName: string;
  readonly path: { readonly key: string | number };
}

/** Notes that a resolver of `Query` reads all that is selected below it, and may be called again. */
export const readsAll = <Resolve extends object>(resolve: Resolve): Resolve => {
  fields.set(resolve, {});
  return resolve;
};

/** Notes that `guarded` is the resolver `resolve` behind a check. */
export const keepReady = (resolve: Resolver, guarded: Resolver): void => {
  const field = fields.get(resolve);
  if (field) fields.set(guarded, field);
};

/** How a field is ready; undefined when its resolver has to be called. */
export const readyField = (resolve: object | undefined): ReadyField | undefined => resolve && fields.get(resolve);

/** The `resolveType` of a union that tells the type of an entry by what stands in it. */
export const typeFromRow = (name: (entry: Node) => string | undefined): ((entry: Node) => string | undefined) => {
  const resolveType = (entry: Node): string | undefined => name(entry);
  typeNames.set(resolveType, name);
  return resolveType;
};

export const readyType = (resolveType: object | null | undefined): ((entry: Node) => string | undefined) | undefined =>
  resolveType ? typeNames.get(resolveType) : undefined;
