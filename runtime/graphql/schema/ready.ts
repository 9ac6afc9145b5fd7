/**
 * Fields that are ready: what they answer stands in what the root field has read. A query that selects nothing else is
 * written from the rows at once, without calling resolver after resolver.
 */
import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  responsePathAsArray,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from "graphql";
import type { GraphqlContext, Node } from "../context.ts";
import type { Arguments, RootRead } from "../operations/operations.ts";
import { isOwnScalar } from "../scalars.ts";

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

/** Notes on resolvers, as properties of theirs would be: the schema keeps nothing beside a field but its resolver. */
const sources = new WeakMap<object, Source>();
const roots = new WeakMap<object, RootRead>();

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

type RootResolver = (...call: Parameters<GraphQLFieldResolver<unknown, GraphqlContext, Arguments>>) => Promise<never>;

/** Notes what a resolver of `Query` reads. */
export const noteRoot = (root: RootRead, resolve: RootResolver): RootResolver => {
  roots.set(resolve, root);
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
export const rootOf = (resolve: object | undefined): RootRead | undefined => resolve && roots.get(resolve);

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

const takesForeign = (type: GraphQLInputType, seen: Set<GraphQLNamedInputType>): boolean => {
  const named = getNamedType(type);
  if (isScalarType(named)) return !isOwnScalar(named);
  if (!isInputObjectType(named) || seen.has(named)) return false;
  seen.add(named);
  return Object.values(named.getFields()).some((field) => takesForeign(field.type, seen));
};

const isForeign = ({ type, args }: GraphQLField<unknown, unknown>, seen: Set<GraphQLNamedInputType>): boolean => {
  const named = getNamedType(type);
  return (isScalarType(named) && !isOwnScalar(named)) || args.some((argument) => takesForeign(argument.type, seen));
};

/** Whether fields that are ready show or take scalars of the application's own. */
export const showsForeignScalars = (schema: GraphQLSchema): boolean => {
  const seen = new Set<GraphQLNamedInputType>();
  return Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .some((field) => (sourceOf(field.resolve) ?? rootOf(field.resolve)) !== undefined && isForeign(field, seen));
};
