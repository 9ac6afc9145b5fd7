/** Refuses operations that nest too deeply, before anything of them runs. */
import {
  type ASTVisitor,
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from "graphql";
import { type Fragments, fragmentsOf, mergedFields } from "./selected-fields.ts";

/** The first field deeper than the limit; a root field has depth 0, fields of introspection do not count. */
const fieldBelow = (limit: number, operation: SelectionSetNode, fragments: Fragments): FieldNode | undefined => {
  let sets: readonly SelectionSetNode[] = [operation];
  for (let depth = 0; sets.length > 0; depth += 1) {
    const fields = [...mergedFields(sets, fragments).values()]
      .flat()
      .filter(({ name }) => !name.value.startsWith("__"));
    if (depth > limit) return fields[0];
    sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
  }
  return undefined;
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
      const fragments = fragmentsOf(document);
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const field = fieldBelow(limit, definition.selectionSet, fragments);
        if (!field) continue;
        const name = definition.name?.value ?? "";
        onRefused(name);
        context.reportError(
          new GraphQLError(`'${name}' exceeds maximum operation depth of ${limit}`, { nodes: [field] }),
        );
      }
    },
  });
