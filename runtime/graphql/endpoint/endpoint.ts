/** The GraphQL endpoint: one operation in, one answer out. Yoga parses, validates and executes, with its caches. */
import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { maxTokensPlugin } from "@escape.tech/graphql-armor-max-tokens";
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import type { Context, Handler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../rest/context.ts";
import type { Services } from "../../services.ts";
import type { GraphqlContext } from "../context.ts";
import { formatExecutionError, withCode } from "./errors.ts";
import { createFindText } from "./persisted.ts";
import { ProtocolError } from "./protocol-error.ts";
import { negotiate, type OperationRequest, readOperation } from "./protocol.ts";
import { extraRules } from "./rules.ts";

interface Answer {
  readonly status: ContentfulStatusCode;
  readonly body: { readonly errors?: readonly GraphQLFormattedError[]; readonly data?: unknown };
}

export interface EndpointOptions {
  /** Whether clients may ask about the schema. */
  readonly introspection: boolean;
}

/** The handler of the endpoint, for every method. */
export const createEndpoint = (
  services: Services,
  schema: GraphQLSchema,
  { introspection }: EndpointOptions,
): Handler<AppEnv> => {
  const run = createRunner(services, schema, introspection);
  const findText = createFindText(services.config.graphql.persistedOperations);
  return async (c) => {
    let type = "application/json; charset=utf-8";
    try {
      const { method } = c.req;
      const header = (name: string): string | undefined => c.req.header(name);
      const operation = readOperation({ method, query: c.req.query(), header, body: c.get("body") }, findText);
      type = negotiate(c.req.header("accept"));
      const context: GraphqlContext = {
        services,
        caller: c.get("caller"),
        http: c.req.raw,
        address: services.clientAddress(c),
        answer: { status: 200 },
      };
      return send(c, await run(operation, method, context), type);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const errors = [{ message: error.message, extensions: { code: error.code } }];
      return send(c, { status: error.status, body: { errors } }, type, error.allow);
    }
  };
};

const send = (c: Context<AppEnv>, { status, body }: Answer, type: string, allow?: string): Response =>
  c.body(JSON.stringify(body), {
    status,
    headers: { "Content-Type": type, ...(allow === undefined ? {} : { Allow: allow }) },
  });

/** Reports what exceeds the limit like any other fault of an operation. */
const aliasLimit = (n: number): Plugin =>
  maxAliasesPlugin({
    n,
    propagateOnRejection: false,
    onReject: [(context, error) => context?.reportError(error)],
  });

type Runner = (operation: OperationRequest, method: string, context: GraphqlContext) => Promise<Answer>;

const createRunner = (services: Services, schema: GraphQLSchema, introspection: boolean): Runner => {
  const { graphql } = services.config;
  const rules = extraRules(graphql, introspection);
  const withRules: Plugin = { onValidate: ({ addValidationRule }) => rules.forEach(addValidationRule) };
  const yoga = createYoga<GraphqlContext>({
    schema,
    logging: false,
    maskedErrors: false,
    graphiql: false,
    parserAndValidationCache: graphql.server.cache,
    plugins: [
      maxTokensPlugin({ n: graphql.tokenLimit }),
      aliasLimit(graphql.aliasLimit),
      withRules,
      ...graphql.server.plugins,
    ],
  });

  return async ({ query, operationName, variables }, method, context) => {
    const { parse, validate, execute } = yoga.getEnveloped({ ...context, params: {} });
    const document = parsed(() => parse(query));
    if ("status" in document) return document;
    const invalid: readonly GraphQLError[] = validate(schema, document);
    if (invalid.length > 0) return refused(invalid.map((error) => withCode(error, "GRAPHQL_VALIDATION_FAILED")));
    const kind = getOperationAST(document, operationName)?.operation;
    if (method !== "POST" && kind !== "query") {
      throw new ProtocolError(405, "GET requests only support query operations, not mutation operations", {
        allow: "POST",
      });
    }
    const result = await execute({
      schema,
      document,
      rootValue: {},
      contextValue: context,
      variableValues: variables,
      operationName,
    });
    const errors = result.errors?.map((error: GraphQLError) =>
      formatExecutionError(error, graphql.format, services.log),
    );
    // A subscription is a valid operation that this schema has no root for.
    if (!("data" in result) && kind !== "subscription") return refused(errors ?? []);
    return { status: context.answer.status, body: { ...(errors ? { errors } : {}), data: result.data ?? null } };
  };
};

const refused = (errors: readonly GraphQLFormattedError[]): Answer => ({ status: 400, body: { errors } });

const parsed = (parse: () => DocumentNode): DocumentNode | Answer => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refused([withCode(error, "GRAPHQL_PARSE_FAILED")]);
  }
};
