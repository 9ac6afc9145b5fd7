/** Refuses operations that select the same field so often that comparing all of its places would take long. */
import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLError,
  type InlineFragmentNode,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";

/**
 * Pairs of places that select one key of one object, those inside of merged objects included. The rules of the
 * specification compare each pair; 140 equal selections are about as many.
 */
const MOST_PAIRS = 20_000;
/** Nothing that is allowed nests deeper, and fragments that contain themselves would never end. */
const DEEPEST = 100;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

class PairCount {
  readonly #fragments: Fragments;
  readonly #counted = new Set<FragmentDefinitionNode>();
  /** Sets that were looked into alone: fragments can lead to one endlessly. */
  readonly #alone = new Set<SelectionSetNode>();
  #pairs = 0;

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /** Whether a fragment is part of what was counted. */
  has(fragment: FragmentDefinitionNode): boolean {
    return this.#counted.has(fragment);
  }

  /**
   * Counts the pairs in what several places select of one object.
   *
   * @throws GraphQLError beyond the limit
   */
  add(sets: readonly SelectionSetNode[], depth = 0): void {
    if (depth > DEEPEST || this.#isKnown(sets)) return;
    for (const nodes of this.#merge(sets)) {
      if (nodes.length > 1) this.#pairs += nodes.length ** 2;
      if (this.#pairs > MOST_PAIRS) throw new GraphQLError("The operation selects the same fields too often.");
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) this.add(inner, depth + 1);
    }
  }

  #isKnown([set, ...others]: readonly SelectionSetNode[]): boolean {
    if (set === undefined || others.length > 0) return false;
    if (this.#alone.has(set)) return true;
    this.#alone.add(set);
    return false;
  }

  /** The fields of all sets, those of one key together; each fragment counts once. */
  #merge(sets: readonly SelectionSetNode[]): Iterable<readonly FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const seen = new Set<SelectionSetNode>();
    const pending = [...sets];
    for (let set = pending.pop(); set; set = pending.pop()) {
      if (seen.has(set)) continue;
      seen.add(set);
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          const nodes = fields.get(key);
          if (nodes) nodes.push(selection);
          else fields.set(key, [selection]);
        } else {
          const inner = this.#setOf(selection);
          if (inner) pending.push(inner);
        }
      }
    }
    return fields.values();
  }

  #setOf(selection: InlineFragmentNode | FragmentSpreadNode): SelectionSetNode | undefined {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
    const fragment = this.#fragments.get(selection.name.value);
    if (fragment) this.#counted.add(fragment);
    return fragment?.selectionSet;
  }
}

/** A validation rule, which ends validation before the others compare anything. */
export const mergeLimit: ValidationRule = (): ASTVisitor => ({
  Document({ definitions }) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    const count = new PairCount(new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
    for (const definition of definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) count.add([definition.selectionSet]);
    }
    // Those that nothing spreads are compared all the same.
    for (const fragment of fragments) if (!count.has(fragment)) count.add([fragment.selectionSet]);
  },
});
