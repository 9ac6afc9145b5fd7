/** Prepares operations that need no resolvers below their root fields: checks and plans them, composes writers. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getOperationAST,
  type GraphQLField,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import type { Caller } from "../../access/caller.ts";
import { type Prepared, PlanSize } from "../../query/index.ts";
import type { ReadingContext } from "../context.ts";
import type { Arguments, RootRead } from "../operations/operations.ts";
import { IDENTITY, prepareRoot } from "../operations/reads.ts";
import { checkOf } from "../schema/guards.ts";
import { rootOf } from "../schema/ready.ts";
import { completed, NotReady, selectedOf, wholeOf, type WriteContext } from "./object-writer.ts";
import { rootWriter } from "./row-writer.ts";
import type { Write } from "./run.ts";

/** Coerced values of variables. */
export type Variables = Readonly<Record<string, unknown>>;

/** One prepared field of `Query`. */
export interface PreparedField {
  /** The response key. */
  readonly key: string;
  readonly root: RootRead;
  readonly prepared: Prepared;
  readonly write: Write<unknown>;
  readonly nodes: FieldNode[];
  /** Whether the field is non-nullable. */
  readonly isRequired: boolean;
  argumentsFor(variables: Variables): Arguments;
}

/** Most objects in a selection; each relation has up to three. */
const MOST_OBJECTS = 2000;
/** Most fields of all objects together: a short text can repeat many through fragments. */
const MOST_MEMBERS = 20_000;

/** Bytes of memory per prepared field of an object, and per character of the read's key. */
const MEMBER = 700;
const CHARACTER = 4;

/** An operation with its fragments. */
export interface Query {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

/** The requested operation, if it is a query. */
export const queryIn = (schema: GraphQLSchema, document: DocumentNode, name: string | undefined): Query | undefined => {
  const operation = getOperationAST(document, name);
  if (operation?.operation !== "query") return undefined;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return { schema, operation, fragments };
};

/** The variables that only say which document to read: one preparation serves all of their values. */
export const identityVariables = ({ operation, fragments }: Query): ReadonlySet<string> => {
  const identities = new Set<string>();
  const used = new Map<string, number>();
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    for (const { name, value } of selection.arguments ?? []) {
      if (value.kind === Kind.VARIABLE && IDENTITY.has(name.value)) identities.add(value.name.value);
    }
  }
  const places = [operation.selectionSet, ...(operation.directives ?? []), ...Object.values(fragments)];
  for (const place of places) {
    visit(place, {
      Variable: ({ name }) => {
        used.set(name.value, (used.get(name.value) ?? 0) + 1);
      },
    });
  }
  return new Set([...identities].filter((name) => used.get(name) === 1));
};

/** A query with prepared fields. */
export type PreparedQuery = ReturnType<typeof prepareQuery>;

/**
 * Prepares all fields of a query for a caller and given values of its variables. Reads nothing yet.
 *
 * @throws NotReady if the executor has to answer, and HttpErrors for faults of the query
 */
export const prepareQuery = (query: Query, variables: Variables, context: ReadingContext) => {
  const { schema, operation, fragments } = query;
  const root = schema.getQueryType();
  if (!root) throw new NotReady();
  const writing: WriteContext = {
    schema,
    fragments,
    variables,
    caller: context.caller,
    size: new PlanSize(MOST_OBJECTS),
    members: new PlanSize(MOST_MEMBERS),
  };
  const selected = selectedOf(writing, root, [wholeOf(operation.selectionSet)]);
  const fields = [...selected].map(([key, nodes]) => {
    const field = root.getFields()[nodes[0]?.name.value ?? ""];
    if (!field) throw new NotReady();
    return prepareField(query, writing, context, { key, nodes, field });
  });
  const characters = fields.reduce((sum, { prepared }) => sum + prepared.checked.key.length, 0);
  // The size is an approximate number of bytes of memory.
  return { fields, size: (writing.members.size + fields.length) * MEMBER + characters * CHARACTER };
};

const prepareField = (
  { schema, operation, fragments }: Query,
  writing: WriteContext,
  context: ReadingContext,
  { key, nodes, field }: Pick<PreparedField, "key" | "nodes"> & { readonly field: GraphQLField<unknown, unknown> },
): PreparedField => {
  const [node] = nodes;
  const root = rootOf(field.resolve);
  const parentType = schema.getQueryType();
  if (!node || !root || !parentType || checkOf(field)?.(writing.caller) === false) throw new NotReady();
  // What hooks decide for one caller does not hold for the next.
  if (context.services.readHooks?.before.has(root.declaration.type.uid)) throw new NotReady();
  const argumentsFor = (variables: Variables): Arguments => getArgumentValues(field, node, variables);
  const info = {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType,
    path: { prev: undefined, key, typename: parentType.name },
    schema,
    fragments,
    rootValue: {},
    operation,
    variableValues: writing.variables,
  };
  const prepared = prepareRoot(root, { args: argumentsFor(writing.variables), context, info });
  const write = rootWriter(writing, field.type, nodes, root, prepared.plan.level);
  return {
    key,
    root,
    prepared,
    nodes,
    isRequired: isNonNullType(field.type),
    argumentsFor,
    write: completed(`${parentType.name}.${field.name}`, field.type, key, nodes, write),
  };
};

/** Records what a caller answers during preparation: the result holds for all callers with the same answers. */
export const recorded = (caller: Caller): { readonly caller: Caller; readonly consulted: Map<string, boolean> } => {
  const consulted = new Map<string, boolean>();
  const can = (action: string): boolean => {
    const answer = caller.can(action);
    consulted.set(action, answer);
    return answer;
  };
  return { caller: { ...caller, can }, consulted };
};
