/**
 * Fields that are ready: what they answer stands in what the root field has read. A query that selects nothing else is
 * written from the rows at once, without calling resolver after resolver.
 */
import {
  type GraphQLAbstractType,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  responsePathAsArray,
} from "graphql";
import { limitsOf } from "../../documents/read-hooks.ts";
import { objectOf, objectsOf } from "../../query/index.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext } from "../context.ts";
import type { Node } from "../node.ts";
import type { Arguments, RootRead } from "../operations/operations.ts";

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Looks the value of a field up in a row. */
export type Reader = (row: Node, info: RowInfo) => unknown;

/** Where in a row, or in a component, the value of a field stands. */
export type Source =
  /** Under a name: that of the field, if there is no other. */
  | { readonly kind: "attribute"; readonly name?: string }
  /** What is populated under the key of the answer; in a member of an object of its own, if there is a wrapper. */
  | { readonly kind: "populated"; readonly wrapper?: "data" | "nodes" }
  | { readonly kind: "documentId" }
  /** The row itself. */
  | { readonly kind: "row" };

/** A field of `Query` that reads what is below it. */
export interface Root {
  readonly root: RootRead;
  readonly declaration: TypeDeclaration;
}

/** Notes on resolvers, as properties of theirs would be: the schema keeps nothing beside a field but its resolver. */
const sources = new WeakMap<object, Source>();
const roots = new WeakMap<object, Root>();

/**
 * A resolver that looks into the row; without a source its answer is not written at once. Lists of an answer that is
 * too large already are empty.
 */
export const fromRow = (reader: Reader, source?: Source) => {
  const wrapper = source?.kind === "populated" ? source.wrapper : undefined;
  const wrapped = (list: unknown): unknown => (wrapper === undefined ? list : { [wrapper]: list });
  const resolve = (row: Node, _args: unknown, { size }: GraphqlContext, info: RowInfo): never => {
    const value = reader(row, info);
    const list = wrapper === undefined ? value : Object(value)[wrapper];
    const fits = !Array.isArray(list) || size.takes(list.length, responsePathAsArray(info.path));
    return (fits ? value : wrapped([])) as never;
  };
  if (source) sources.set(resolve, source);
  return resolve;
};

/** What a reader needs of `GraphQLResolveInfo`. */
export type RowInfo = Pick<GraphQLResolveInfo, "fieldName" | "path" | "schema">;

/** A resolver of `Query` that reads all that is selected below it. */
export const readsAll = (root: RootRead, declaration: TypeDeclaration) => {
  const resolve = async (
    _root: unknown,
    args: Arguments,
    context: GraphqlContext,
    info: Parameters<RootRead["prepare"]>[3],
  ): Promise<never> => {
    const limits = await limitsOf(context, declaration.type);
    context.budget?.assertNotExceeded();
    const prepared = root.prepare(declaration, args, context, info, limits);
    const { documents, facts } = await root.read(prepared, args, context);
    const one = documents.rows.length === 0 ? null : objectOf(documents);
    const shown = root.many ? objectsOf(documents) : one;
    return (root.member === undefined ? shown : { ...facts, [root.member]: shown }) as never;
  };
  roots.set(resolve, { root, declaration });
  return resolve;
};

/** Notes that `guarded` is the resolver `resolve` behind a check. */
export const keepReady = (resolve: Resolver, guarded: Resolver): void => {
  const source = sources.get(resolve);
  if (source) sources.set(guarded, source);
  const root = roots.get(resolve);
  if (root) roots.set(guarded, root);
};

/** Where the answer of a resolver stands; undefined when it has to be called. */
export const sourceOf = (resolve: object | undefined): Source | undefined => resolve && sources.get(resolve);

/** What a resolver of `Query` reads; undefined when it has to be called. */
export const rootOf = (resolve: object | undefined): Root | undefined => resolve && roots.get(resolve);

type TypeName = (entry: Node) => string | undefined;

const TYPE_NAME = "galleyTypeName";

/** The options of a union that tells the type of an entry by what stands in it. The builder wraps `resolveType`. */
export const typeFromRow = (name: TypeName) => ({
  resolveType: (entry: Node): string | undefined => name(entry),
  extensions: { [TYPE_NAME]: name },
});

/** How a union tells types; undefined when its resolver has to be called. */
export const readyType = ({ extensions }: GraphQLAbstractType): TypeName | undefined => {
  const name = extensions[TYPE_NAME];
  return typeof name === "function" ? (entry) => String(name(entry)) : undefined;
};
