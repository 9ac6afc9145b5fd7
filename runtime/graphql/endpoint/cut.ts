/** Reports truncated lists: the client asked for more entries than the limit, and got as many as the limit. */
import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  getVariableValues,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from "graphql";
import { isRecord } from "../../base/is-record.ts";
import type { Variables } from "../execution/prepared-query.ts";
import { fragmentsOf, mergedFields } from "./selected-fields.ts";

/** A list that may have more entries, by the response keys that lead to it, without list indexes. */
export interface Cut {
  readonly path: readonly string[];
  /** Its number of entries: `graphql.amountLimit`. */
  readonly limit: number;
}

/** An operation that was answered. */
export interface Answered {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables | undefined;
  /** Returns the data, which may have to be parsed from text. */
  readonly data: () => unknown;
}

/** The lists of a response for which the client asked for more than `limit` entries and got `limit`. */
export const cutsIn = ({ schema, document, operation, variables, data }: Answered, limit: number): readonly Cut[] => {
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  const asksTooMuch = (node: FieldNode): boolean => sizesOf(node, coerced).some((size) => size > limit);
  const fragments = fragmentsOf(document);
  const cuts: Cut[] = [];
  // Looks at all values of one path together, and stops where there is no data: fragments can select endlessly.
  const search = (values: readonly unknown[], sets: readonly SelectionSetNode[], path: readonly string[]): void => {
    const objects = values.flatMap((value) => [value].flat()).filter(isRecord);
    if (objects.length === 0) return;
    for (const [key, nodes] of mergedFields(sets, fragments)) {
      const inner = objects.map((object) => object[key]);
      const at = [...path, key];
      if (nodes.some(asksTooMuch) && inner.some((value) => listIn(value).length >= limit))
        cuts.push({ path: at, limit });
      search(
        inner,
        nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
        at,
      );
    }
  };
  if (hasField(document, asksTooMuch)) search([data()], [operation.selectionSet], []);
  return cuts;
};

/** The numbers of entries that the arguments of a field ask for. */
const sizesOf = ({ arguments: given = [] }: FieldNode, variables: Variables): readonly number[] => {
  const page = given.find(({ name }) => name.value === "pagination");
  const value = page && valueFromASTUntyped(page.value, variables);
  if (!isRecord(value)) return [];
  const { limit, pageSize } = value;
  return limit === -1 ? [Infinity] : [Number(limit), Number(pageSize)];
};

/** The list in a field: the field itself, or the `nodes` or `data` inside it. */
const listIn = (value: unknown): readonly unknown[] =>
  [value, ...Object.values(Object(value))].find((each) => Array.isArray(each)) ?? [];

const hasField = (document: DocumentNode, matches: (node: FieldNode) => boolean): boolean => {
  let isFound = false;
  visit(document, {
    Field(node) {
      isFound = matches(node);
      return isFound ? BREAK : undefined;
    },
  });
  return isFound;
};
