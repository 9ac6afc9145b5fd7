/**
 * Answers queries that select nothing but what their root fields read, straight as text. The executor does all others,
 * and everything that ends in an error: queries change nothing, so it may read again.
 */
import { collectSubFields } from "@graphql-tools/utils";
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { PlanSize } from "../../query/index.ts";
import type { GraphqlContext } from "../context.ts";
import { checkOf } from "../schema/guards.ts";
import { readyField } from "../schema/ready.ts";
import { NotReady, type Write, type WriteContext, writerOf } from "./writer.ts";

/** A result whose data is text already, parsed only for who looks at it. */
export class WrittenResult implements ExecutionResult<{ [key: string]: unknown }> {
  readonly #text: string;
  #data: { [key: string]: unknown } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get data(): { [key: string]: unknown } {
    return (this.#data ??= JSON.parse(this.#text));
  }

  /** The body of the answer, with what was changed in `data` meanwhile. */
  get body(): string {
    return `{"data":${this.#data ? JSON.stringify(this.#data) : this.#text}}`;
  }
}

/** Objects of a selection; each relation has up to three. */
const MOST_OBJECTS = 2000;

type Arguments = Omit<ExecutionArgs, "contextValue"> & { readonly contextValue: GraphqlContext };

interface Query extends WriteContext {
  readonly operation: OperationDefinitionNode;
  readonly root: GraphQLObjectType;
}

/** The answer, or undefined when the executor has to give it. */
export const answerReady = async (args: Arguments): Promise<WrittenResult | undefined> => {
  try {
    const query = queryOf(args);
    const parts = rootFields(query).map(([key, nodes]) => ({ key, answer: rootField(args, query, key, nodes) }));
    const texts = await Promise.all(parts.map(async ({ key, answer }) => `${JSON.stringify(key)}:${await answer()}`));
    return new WrittenResult(`{${texts.join(",")}}`);
  } catch {
    return undefined;
  }
};

const queryOf = ({ schema, document, operationName, variableValues, contextValue }: Arguments): Query => {
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  if (operation?.operation !== "query" || !root) throw new NotReady();
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (!coerced) throw new NotReady();
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  const size = new PlanSize(MOST_OBJECTS);
  return { schema, fragments, variables: coerced, caller: contextValue.caller, size, operation, root };
};

const rootFields = ({ schema, fragments, variables, operation, root }: Query): readonly [string, FieldNode[]][] => {
  const whole: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: "" },
    selectionSet: operation.selectionSet,
  };
  return [...collectSubFields(schema, fragments, { coerced: variables, sources: {} }, root, [whole]).fields];
};

/** What writes the answer of one root field. Nothing is read before all of them are known to be ready. */
const rootField = (
  { rootValue, contextValue }: Arguments,
  query: Query,
  key: string,
  nodes: FieldNode[],
): (() => Promise<string>) => {
  const { schema, fragments, variables, operation, root } = query;
  const [node] = nodes;
  const field = node && root.getFields()[node.name.value];
  const ready = readyField(field?.resolve);
  if (!node || !field?.resolve || !ready || ready.reader || checkOf(field)?.(contextValue.caller) === false)
    throw new NotReady();
  const { resolve, name, type } = field;
  const write: Write = writerOf(query, type, nodes);
  const values = getArgumentValues(field, node, variables);
  const info = {
    fieldName: name,
    fieldNodes: nodes,
    returnType: type,
    parentType: root,
    path: { prev: undefined, key, typename: root.name },
    schema,
    fragments,
    rootValue,
    operation,
    variableValues: variables,
  };
  return async () => write(await resolve(rootValue, values, contextValue, info));
};
