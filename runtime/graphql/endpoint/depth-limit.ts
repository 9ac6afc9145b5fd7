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

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The first field deeper than `limit`; a root field has depth 0, names of introspection do not count. */
const tooDeep = (
  { selections }: SelectionSetNode,
  depth: number,
  limit: number,
  fragments: Fragments,
  within: ReadonlySet<string>,
): FieldNode | undefined => {
  for (const selection of selections) {
    const found = deepSelection(selection, depth, limit, fragments, within);
    if (found) return found;
  }
  return undefined;
};

const deepSelection = (
  selection: SelectionNode,
  depth: number,
  limit: number,
  fragments: Fragments,
  within: ReadonlySet<string>,
): FieldNode | undefined => {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return tooDeep(selection.selectionSet, depth, limit, fragments, within);
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const name = selection.name.value;
    const fragment = fragments.get(name);
    // A fragment inside itself is another rule's to refuse.
    if (!fragment || within.has(name)) return undefined;
    return tooDeep(fragment.selectionSet, depth, limit, fragments, new Set([...within, name]));
  }
  if (selection.name.value.startsWith("__")) return undefined;
  if (depth > limit) return selection;
  return selection.selectionSet && tooDeep(selection.selectionSet, depth + 1, limit, fragments, within);
};

/** A validation rule: fields may nest `limit` levels below a root field. */
export const depthLimit =
  (limit: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => ({
    Document(document) {
      const fragments = new Map(
        document.definitions.flatMap((definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
        ),
      );
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const field = tooDeep(definition.selectionSet, 0, limit, fragments, new Set());
        if (!field) continue;
        const name = definition.name?.value ?? "";
        context.reportError(
          new GraphQLError(`'${name}' exceeds maximum operation depth of ${limit}`, { nodes: [field] }),
        );
      }
    },
  });
