/** Refuses operations that select the same field so often that comparing all of its occurrences would take long. */
import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationRule } from "graphql";
import { type Fragments, fragmentsOf, mergedFields } from "./selected-fields.ts";

/**
 * Pairs of fields that have one key of one object, those inside of merged objects included. The rules of the
 * specification compare each pair; 140 equal selections are about as many.
 */
const MAX_PAIRS = 20_000;
/** Nothing that is allowed nests deeper, and fragments that contain themselves would never end. */
const MAX_DEPTH = 100;

class PairCount {
  readonly #fragments: Fragments;
  /** Selections that were counted alone: fragments can lead to one endlessly. */
  readonly #counted = new Set<SelectionSetNode>();
  readonly #spread = new Set<string>();
  #pairs = 0;

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /** Whether a fragment is part of what was counted. */
  spreads(fragment: string): boolean {
    return this.#spread.has(fragment);
  }

  /**
   * Counts the pairs in what several selections select of one object.
   *
   * @throws GraphQLError beyond the limit
   */
  add(sets: readonly SelectionSetNode[], depth = 0): void {
    if (depth > MAX_DEPTH || this.#isCounted(sets)) return;
    for (const nodes of mergedFields(sets, this.#fragments, this.#spread).values()) {
      if (nodes.length > 1) this.#pairs += nodes.length ** 2;
      if (this.#pairs > MAX_PAIRS) throw new GraphQLError("The operation selects the same fields too often.");
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) this.add(inner, depth + 1);
    }
  }

  #isCounted([set, ...others]: readonly SelectionSetNode[]): boolean {
    if (set === undefined || others.length > 0) return false;
    if (this.#counted.has(set)) return true;
    this.#counted.add(set);
    return false;
  }
}

/** A validation rule, which ends validation before the others compare anything. */
export const mergeLimit: ValidationRule = (): ASTVisitor => ({
  Document(document) {
    const fragments = fragmentsOf(document);
    const count = new PairCount(fragments);
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) count.add([definition.selectionSet]);
    }
    // Those that no operation spreads are compared all the same.
    for (const [name, { selectionSet }] of fragments) if (!count.spreads(name)) count.add([selectionSet]);
  },
});
