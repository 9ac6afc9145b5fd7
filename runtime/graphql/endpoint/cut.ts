/** Reports lists that were asked for with more entries than a page may have, and are as long as it may be. */
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

/** A list that may go on, by the keys that lead to it, without the positions in other lists. */
export interface Cut {
  readonly path: readonly string[];
  /** How many entries it has: `graphql.amountLimit`. */
  readonly limit: number;
}

/** An operation that was answered. */
export interface Answered {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables | undefined;
  /** Gets the data, which may be text that has to be parsed. */
  readonly data: () => unknown;
}

/** The lists of an answer that were asked for with more than `limit` entries, and have as many. */
export const cutsIn = ({ schema, document, operation, variables, data }: Answered, limit: number): readonly Cut[] => {
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  const asksTooMuch = (node: FieldNode): boolean => sizesOf(node, coerced).some((size) => size > limit);
  const fragments = fragmentsOf(document);
  const cuts: Cut[] = [];
  // All values of one path are looked at together. Where there is no data, fragments can select endlessly.
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

/** The numbers of entries that a field is asked for with. */
const sizesOf = ({ arguments: given = [] }: FieldNode, variables: Variables): readonly number[] => {
  const page = given.find(({ name }) => name.value === "pagination");
  const value = page && valueFromASTUntyped(page.value, variables);
  if (!isRecord(value)) return [];
  const { limit, pageSize } = value;
  return limit === -1 ? [Infinity] : [Number(limit), Number(pageSize)];
};

/** The list that a field is, or that is beside facts about it, as in `nodes` and `data`. */
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
