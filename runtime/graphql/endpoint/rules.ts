/** What an operation must meet beside the specification's own rules. */
import { type ASTVisitor, GraphQLError, type ValidationContext, type ValidationRule } from "graphql";
import type { Services } from "../../http/services.ts";
import type { GraphqlFormat } from "../plugin/options.ts";
import { depthLimit } from "./depth-limit.ts";
import { mergeLimit } from "./merge-limit.ts";

const INTROSPECTION = new Set(["__schema", "__type"]);

/** Refuses questions about the schema; clients of the flat format find the reason in the extensions too. */
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

/** The message is that of the wire format, which does not name the key: the log does, once. */
const depth = ({ config, log }: Services): ValidationRule => {
  const { depthLimit: limit } = config.graphql;
  let isTold = false;
  return depthLimit(limit, (operation) => {
    if (isTold) return;
    isTold = true;
    log.warn(
      { operation, depthLimit: limit },
      "an operation was refused: it nests deeper than graphql.depthLimit allows",
    );
  });
};

/** The rules of one server. */
export const extraRules = (services: Services, introspection: boolean): readonly ValidationRule[] => [
  mergeLimit,
  depth(services),
  ...(introspection ? [] : [noIntrospection(services.config.graphql.format)]),
];
