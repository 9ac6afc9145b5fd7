/** Validation rules beyond those of the specification: depth, merged fields, introspection. */
import {
  GraphQLError,
  Kind,
  type ASTVisitor,
  type FieldNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from "graphql";
import type { Services } from "../../http/context.ts";
import type { GraphqlFormat } from "../operations/operations.ts";
import { fragmentsOf, mergedFields, type Fragments } from "./selected-fields.ts";

const INTROSPECTION = new Set(["__schema", "__type"]);

/** Refuses introspection; clients of the flat format also find the reason in the extensions. */
const noIntrospection =
  (format: GraphqlFormat): ValidationRule =>
  (context: ValidationContext): ASTVisitor => ({
    Field(node) {
      if (!INTROSPECTION.has(node.name.value)) return;
      context.reportError(
        new GraphQLError(
          "GraphQL introspection is not allowed by Apollo Server, but the query contained __schema or __type. To enable introspection, pass introspection: true to ApolloServer in production",
          {
            nodes: [node],
            ...(format === "flat" ? { extensions: { validationErrorCode: "INTROSPECTION_DISABLED" } } : {}),
          },
        ),
      );
    },
  });

/** The message is fixed by the wire format and does not name the configuration key, so the log names it, once. */
const depth = ({ config, log }: Services): ValidationRule => {
  const { depthLimit: limit } = config.graphql;
  let isLogged = false;
  return depthLimit(limit, (operation) => {
    if (isLogged) return;
    isLogged = true;
    log.warn(
      { operation, depthLimit: limit },
      "an operation was refused: it nests deeper than graphql.depthLimit allows",
    );
  });
};

/** The additional rules of one server. */
export const extraRules = (services: Services, introspection: boolean): readonly ValidationRule[] => [
  mergeLimit,
  depth(services),
  ...(introspection ? [] : [noIntrospection(services.config.graphql.format)]),
];

/** The first field deeper than the limit. A root field has depth 0; introspection fields do not count. */
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
 * A validation rule: fields may nest at most `limit` levels below a root field.
 *
 * @param onRefused called with the name of each refused operation; the name is empty if it has none
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

/**
 * Pairs of fields that share a response key of one object, including those inside merged objects. The rules of the
 * specification compare each pair; about 140 equal selections reach this limit.
 */
const MAX_PAIRS = 20_000;
/** No valid operation nests deeper, and fragments that contain themselves would never end. */
const MAX_DEPTH = 100;

class PairCount {
  readonly #fragments: Fragments;
  /** Selections that were already counted on their own: fragments can lead to the same one endlessly. */
  readonly #counted = new Set<SelectionSetNode>();
  readonly #spread = new Set<string>();
  #pairs = 0;

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /** Whether anything counted so far spreads a fragment. */
  spreads(fragment: string): boolean {
    return this.#spread.has(fragment);
  }

  /**
   * Counts the pairs in several selections of one object.
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

/** A validation rule that ends validation before the other rules compare anything. */
export const mergeLimit: ValidationRule = (): ASTVisitor => ({
  Document(document) {
    const fragments = fragmentsOf(document);
    const count = new PairCount(fragments);
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) count.add([definition.selectionSet]);
    }
    // The rules of the specification also compare fragments that no operation spreads.
    for (const [name, { selectionSet }] of fragments) if (!count.spreads(name)) count.add([selectionSet]);
  },
});
