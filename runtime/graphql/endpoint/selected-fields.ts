/** Collects the fields of selections, regardless of the types of their fragments. */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document, by name. */
export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

/**
 * The fields of several selections by response key, including those in fragments; visits each fragment once.
 *
 * @param spread receives the names of these fragments
 */
export const mergedFields = (
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
  spread = new Set<string>(),
): ReadonlyMap<string, readonly FieldNode[]> => {
  const fields = new Map<string, FieldNode[]>();
  // A set does not add what it already has, so this terminates.
  const pending = new Set(sets);
  for (const { selections } of pending) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        pending.add(selection.selectionSet);
      } else {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) pending.add(fragment.selectionSet);
      }
    }
  }
  return fields;
};
