/** Refuses operations that nest too deeply, before anything of them runs. */
import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from "graphql";

/** One walk through an operation. */
interface Walk {
  readonly limit: number;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments that were found to be fine at a depth, so that each is entered once there, however often it is spread. */
  readonly entered: Set<string>;
}

/** The first field deeper than the limit; a root field has depth 0, names of introspection do not count. */
const tooDeep = ({ selections }: SelectionSetNode, depth: number, walk: Walk): FieldNode | undefined => {
  for (const selection of selections) {
    const found = deepSelection(selection, depth, walk);
    if (found) return found;
  }
  return undefined;
};

const deepSelection = (selection: SelectionNode, depth: number, walk: Walk): FieldNode | undefined => {
  if (selection.kind === Kind.INLINE_FRAGMENT) return tooDeep(selection.selectionSet, depth, walk);
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = walk.fragments.get(selection.name.value);
    const place = `${depth} ${selection.name.value}`;
    if (!fragment || walk.entered.has(place)) return undefined;
    walk.entered.add(place);
    return tooDeep(fragment.selectionSet, depth, walk);
  }
  if (selection.name.value.startsWith("__")) return undefined;
  if (depth > walk.limit) return selection;
  return selection.selectionSet && tooDeep(selection.selectionSet, depth + 1, walk);
};

/**
 * A validation rule: fields may nest `limit` levels below a root field.
 *
 * @param onRefused called with the name of each operation that is refused, which is empty if it has none
 */
export const depthLimit =
  (limit: number, onRefused: (operation: string) => void): ValidationRule =>
  (context: ValidationContext): ASTVisitor => ({
    Document(document) {
      const fragments = new Map(
        document.definitions.flatMap((definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
        ),
      );
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const field = tooDeep(definition.selectionSet, 0, { limit, fragments, entered: new Set() });
        if (!field) continue;
        const name = definition.name?.value ?? "";
        onRefused(name);
        context.reportError(
          new GraphQLError(`'${name}' exceeds maximum operation depth of ${limit}`, { nodes: [field] }),
        );
      }
    },
  });
