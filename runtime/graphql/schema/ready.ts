/**
 * Resolvers below a root field. The root has read all values, so they only look into the row: attributes are under their
 * name, and what a selection populates is under `@` and its response key, because two aliases of one relation may have
 * different arguments. A query that selects only such fields is written directly from the rows, without calling a
 * resolver for each field.
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

/** Where the value of a field is in its row or component. */
export type Source =
  /** Under the given name, or else that of the field. */
  | { readonly kind: "attribute"; readonly name?: string }
  /** Populated under the response key; shown inside an object of its own if there is a wrapper. */
  | { readonly kind: "populated"; readonly wrapper?: "data" | "nodes" }
  | { readonly kind: "documentId" }
  /** The row itself. */
  | { readonly kind: "row" };

/** Metadata of resolvers. It belongs to them because a field in the schema keeps nothing but its resolver. */
const sources = new WeakMap<object, Source>();
const roots = new WeakMap<object, RootRead>();

/**
 * A resolver that looks into the row. Without a source, the field is not ready. Once a response is too large, its
 * further lists are empty.
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

/** Records what a resolver of `Query` reads. */
export const noteRoot = (root: RootRead, resolve: RootResolver): RootResolver => {
  roots.set(resolve, root);
  return resolve;
};

/** Records that `guarded` is the resolver `resolve` behind a check. */
export const keepReady = (resolve: Resolver, guarded: Resolver): void => {
  const source = sources.get(resolve);
  if (source) sources.set(guarded, source);
  const root = roots.get(resolve);
  if (root) roots.set(guarded, root);
};

/** The source of a resolver's value; undefined if the resolver has to be called. */
export const sourceOf = (resolve: object | undefined): Source | undefined => resolve && sources.get(resolve);

/** What a resolver of `Query` reads; undefined if the resolver has to be called. */
export const rootOf = (resolve: object | undefined): RootRead | undefined => resolve && roots.get(resolve);

type TypeName = (entry: Node) => string | undefined;

const TYPE_NAME = "galleyTypeName";

/** The options of a union that tells an entry's type from its content. The builder wraps `resolveType`. */
export const typeFromRow = (name: TypeName) => ({
  resolveType: (entry: Node): string | undefined => name(entry),
  extensions: { [TYPE_NAME]: name },
});

/** How a union tells types; undefined if its resolver has to be called. */
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

/** Whether ready fields show or take the application's own scalars. */
export const showsForeignScalars = (schema: GraphQLSchema): boolean => {
  const seen = new Set<GraphQLNamedInputType>();
  return Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .some((field) => (sourceOf(field.resolve) ?? rootOf(field.resolve)) !== undefined && isForeign(field, seen));
};

/** The member of a row that holds the populated field with this response key. */
export const populatedKey = (prefix: string, responseKey: string | number): string => `@${prefix}${responseKey}`;

/**
 * What a wrapper (`data`, `nodes`, `attributes`) adds to the keys of what is populated inside it: nothing, unless it
 * has an alias. Below two aliases, the same key may mean different things in one row. The name is part of the prefix,
 * so that equal aliases of `data` and `attributes` differ.
 */
export const aliasPrefix = (key: string | number, name: string): string => (key === name ? "" : `${name}=${key}/`);

const WRAPPED = "galleyWrapped";

/** The options of a type that wraps rows in one of its members. */
export const wraps = (member: "data" | "nodes" | "attributes") => ({ extensions: { [WRAPPED]: member } });

/** The prefix of a field: the aliases of the wrappers between it and its row. */
const prefixOf = ({ path, schema }: RowInfo): string => {
  let prefix = "";
  for (let step = path.prev; step; step = step.prev) {
    if (typeof step.key === "number") continue;
    const member = schema.getType(step.typename ?? "")?.extensions[WRAPPED];
    if (typeof member !== "string") break;
    prefix = aliasPrefix(step.key, member) + prefix;
  }
  return prefix;
};

const populated: Reader = (row, info) => row[populatedKey(prefixOf(info), info.path.key)];

/** The value of an attribute. Schema and row are made from the same descriptors, so their names agree. */
export const read = fromRow((row, { fieldName }) => row[fieldName], { kind: "attribute" });

/** The value of a relation, media, component or zone. */
export const readPopulated = fromRow(populated, { kind: "populated" });

/** The same inside the wrapper of the entity format, and of the flat format. */
export const readInData = fromRow((...place) => ({ data: populated(...place) }), {
  kind: "populated",
  wrapper: "data",
});
export const readInNodes = fromRow((...place) => ({ nodes: populated(...place) }), {
  kind: "populated",
  wrapper: "nodes",
});

/** Both parts of an entity are read from the same row. */
export const readId = fromRow((row) => row["documentId"], { kind: "documentId" });
export const readRow = fromRow((row) => row, { kind: "row" });
