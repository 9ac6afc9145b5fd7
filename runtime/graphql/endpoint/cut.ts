/** Tells of lists that were asked for with more entries than a page may have, and are as long as it may be. */
import {
  type DocumentNode,
  type FieldNode,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";
import { isRecord } from "../../base/is-record.ts";
import type { Variables } from "../execution/prepared-query.ts";

/** A list that may go on, by the keys that lead to it, without the positions in other lists. */
export interface Cut {
  readonly path: readonly string[];
  /** How many entries it has: `graphql.amountLimit`. */
  readonly limit: number;
}

/** A key of an answer below which too much was asked for. */
interface Asked {
  readonly key: string;
  readonly tooMuch: boolean;
  readonly below: readonly SelectionSetNode[];
}

/** The list that a field is, or that stands beside what is known of it, as in `nodes` and `data`. */
const listIn = (value: unknown): readonly unknown[] =>
  [value, ...Object.values(Object(value))].find((each) => Array.isArray(each)) ?? [];

/** One operation that was answered. What it selects of nothing is not looked into, as fragments can select endlessly. */
class Search {
  readonly #fragments = new Map<string, SelectionSetNode>();
  readonly #variables: Variables;
  readonly #limit: number;
  readonly #asking = new Map<SelectionSetNode, boolean>();
  readonly #asked = new Map<string, readonly Asked[]>();
  readonly #cuts = new Map<string, Cut>();

  constructor({ definitions }: DocumentNode, variables: Variables, limit: number) {
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition.selectionSet);
    }
    this.#variables = variables;
    this.#limit = limit;
  }

  /** Whether too much is asked for anywhere in a selection. */
  asks(set: SelectionSetNode): boolean {
    const known = this.#asking.get(set);
    if (known !== undefined) return known;
    const asks = set.selections.some((selection) => {
      const inner = this.#setOf(selection);
      const isTooMuch = selection.kind === Kind.FIELD && this.#isTooMuch(selection);
      return isTooMuch || (inner !== undefined && this.asks(inner));
    });
    this.#asking.set(set, asks);
    return asks;
  }

  cuts(data: unknown, set: SelectionSetNode): readonly Cut[] {
    this.#look(data, [set], []);
    return [...this.#cuts.values()];
  }

  #look(value: unknown, sets: readonly SelectionSetNode[], path: readonly string[]): void {
    if (Array.isArray(value)) for (const item of value) this.#look(item, sets, path);
    else if (isRecord(value)) {
      for (const { key, tooMuch, below } of this.#askedAt(path, sets)) {
        const inner = [...path, key];
        if (tooMuch && listIn(value[key]).length >= this.#limit) {
          this.#cuts.set(inner.join("\n"), { path: inner, limit: this.#limit });
        }
        if (below.length > 0) this.#look(value[key], below, inner);
      }
    }
  }

  #askedAt(path: readonly string[], sets: readonly SelectionSetNode[]): readonly Asked[] {
    const place = path.join("\n");
    let asked = this.#asked.get(place);
    if (asked === undefined) {
      asked = [...this.#fields(sets)].map(([key, nodes]) => ({
        key,
        tooMuch: nodes.some((node) => this.#isTooMuch(node)),
        below: nodes.flatMap(({ selectionSet }) => (selectionSet && this.asks(selectionSet) ? [selectionSet] : [])),
      }));
      asked = asked.filter(({ tooMuch, below }) => tooMuch || below.length > 0);
      this.#asked.set(place, asked);
    }
    return asked;
  }

  /** The fields of selections by their key; each fragment is looked into once. */
  #fields(sets: readonly SelectionSetNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const seen = new Set<SelectionSetNode>();
    const add = (set: SelectionSetNode): void => {
      if (seen.has(set)) return;
      seen.add(set);
      for (const selection of set.selections) {
        if (selection.kind !== Kind.FIELD) {
          const inner = this.#setOf(selection);
          if (inner) add(inner);
          continue;
        }
        const key = (selection.alias ?? selection.name).value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
      }
    };
    sets.forEach(add);
    return fields;
  }

  #setOf(selection: SelectionNode): SelectionSetNode | undefined {
    return selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection.selectionSet;
  }

  #isTooMuch({ arguments: given = [] }: FieldNode): boolean {
    const page = given.find(({ name }) => name.value === "pagination");
    const value = page && valueFromASTUntyped(page.value, this.#variables);
    if (!isRecord(value)) return false;
    const { limit, pageSize } = value;
    return limit === -1 || [limit, pageSize].some((size) => Number(size) > this.#limit);
  }
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
  const search = new Search(document, coerced, limit);
  return search.asks(operation.selectionSet) ? search.cuts(data(), operation.selectionSet) : [];
};
