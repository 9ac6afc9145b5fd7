/** Runs one operation: Yoga parses and validates, with its caches, and hands over to what answers. */
import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { maxTokensPlugin } from "@escape.tech/graphql-armor-max-tokens";
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Services } from "../../http/services.ts";
import { AnswerSize, Budget } from "../../query/index.ts";
import type { GraphqlContext } from "../context.ts";
import { ReadyAnswers } from "../execution/ready-answer.ts";
import { WrittenResult } from "../execution/written-result.ts";
import type { Answer } from "./answer.ts";
import { cutsIn } from "./cut.ts";
import { parsedDocuments } from "./documents.ts";
import { failureOf, formatExecutionError, withCode, withoutSuggestion } from "./errors.ts";
import { checkNesting } from "./nesting.ts";
import { ProtocolError } from "./protocol-error.ts";
import type { OperationRequest } from "./protocol.ts";
import { extraRules } from "./rules.ts";

/** Reports what exceeds the limit like any other fault of an operation. */
const aliasLimit = (n: number): Plugin =>
  maxAliasesPlugin({
    n,
    propagateOnRejection: false,
    onReject: [(context, error) => context?.reportError(error)],
  });

/** What is ready is written at once; the executor, which answers in the order of the selection, does the rest. */
const readyFirst = (ready: ReadyAnswers): Plugin<GraphqlContext> => ({
  onExecute: ({ args: { contextValue }, setExecuteFn }) =>
    setExecuteFn(async (args) => {
      const answering = ready.prepare({ ...args, contextValue });
      return answering ? answering() : fitting(await execute(args), contextValue);
    }),
});

/** Nothing of an answer that is larger than it may be. */
const fitting = (result: ExecutionResult, { size: { refusal } }: GraphqlContext): ExecutionResult =>
  refusal ? { data: null, errors: [new GraphQLError(refusal.message, { originalError: refusal })] } : result;

/** What the request of an operation tells of itself. */
type Asking = Omit<GraphqlContext, "size" | "budget">;

export interface Runner {
  /**
   * Runs an operation.
   *
   * @throws ProtocolError for what may not be asked by this method
   */
  run(operation: OperationRequest, method: string, context: Asking): Promise<Answer>;
}

export interface RunnerOptions {
  /** Whether clients may ask about the schema. */
  readonly introspection: boolean;
  /** Whether errors name what may have been meant. */
  readonly suggestions: boolean;
}

/** Runs operations against a schema. */
export const createRunner = (
  services: Services,
  schema: GraphQLSchema,
  { introspection, suggestions }: RunnerOptions,
): Runner => {
  const { graphql, limits } = services.config;
  const shown = <Fault extends { readonly message: string }>(error: Fault): Fault =>
    suggestions ? error : withoutSuggestion(error);
  const rules = extraRules(services, introspection);
  const withRules: Plugin = { onValidate: ({ addValidationRule }) => rules.forEach(addValidationRule) };
  const ready = new ReadyAnswers(schema);
  const documents = graphql.server.cache ? parsedDocuments() : undefined;
  const yoga = createYoga<GraphqlContext>({
    schema,
    logging: false,
    maskedErrors: false,
    graphiql: false,
    parserAndValidationCache: documents ? { documentCache: documents, errorCache: NONE } : false,
    plugins: [
      readyFirst(ready),
      maxTokensPlugin({ n: graphql.tokenLimit }),
      aliasLimit(graphql.aliasLimit),
      withRules,
      ...graphql.server.plugins,
    ],
  });
  // Plugins see every operation, so no answer may pass them by.
  const mayStore = documents !== undefined && graphql.server.plugins.length === 0;

  const answerOf = (asked: Asked, result: ExecutionResult, status: 200 | 201): Answer => {
    const { document, operation, variables, query } = asked;
    const errors = result.errors?.map((error: GraphQLError) =>
      shown(formatExecutionError(error, graphql.format, services.log)),
    );
    const failure = failureOf(result.errors);
    if (failure) services.outages.report(failure);
    const away = isUnavailable(result);
    // The wire format has nothing beside the data. What asks for no page asks for none that is too large.
    const cut =
      graphql.tellCut && operation && query.includes("pagination")
        ? cutsIn({ schema, document, operation, variables, data: () => dataOf(result) }, graphql.amountLimit)
        : [];
    const extensions = { ...result.extensions, ...(cut.length > 0 ? { cut } : {}) };
    const beside = Object.keys(extensions).length > 0 ? { extensions } : {};
    if (result instanceof WrittenResult) {
      const isStorable = mayStore && result.isStorable;
      if (!errors && !("extensions" in beside)) return { status: 200, body: result.whole, isStorable };
      const faults = errors ? `"errors":${JSON.stringify(errors)},` : "";
      const more = "extensions" in beside ? `,"extensions":${JSON.stringify(extensions)}` : "";
      return { status: away ? 503 : 200, body: `{${faults}"data":${result.text}${more}}`, isStorable };
    }
    // A subscription is a valid operation that this schema has no root for.
    if (!("data" in result) && operation?.operation !== "subscription") return refused(errors ?? []);
    return {
      status: away ? 503 : status,
      body: { ...(errors ? { errors } : {}), data: result.data ?? null, ...beside },
    };
  };

  return {
    async run({ query, operationName, variables }, method, context) {
      const { parse, validate, execute: run } = yoga.getEnveloped({ ...context, params: {} });
      const document = parsed(() => {
        checkNesting(query);
        return parse(query);
      });
      if ("status" in document) return document;
      const invalid = faultsOf(() => validate(schema, document));
      if (invalid.length > 0) {
        // With its errors it would take more memory than it was weighed with.
        documents?.delete(query);
        return refused(invalid.map((error) => shown(withCode(error, "GRAPHQL_VALIDATION_FAILED"))));
      }
      const operation = getOperationAST(document, operationName);
      const kind = operation?.operation;
      if (method !== "POST" && kind !== "query") {
        throw new ProtocolError(405, "GET requests only support query operations, not mutation operations", {
          allow: "POST",
        });
      }
      const result = await run({
        schema,
        document,
        rootValue: {},
        // What was stored is not answered with an error.
        contextValue: {
          ...context,
          size: new AnswerSize(kind === "mutation" ? Infinity : limits.answerSize),
          budget: kind === "mutation" ? undefined : new Budget(services.config),
        },
        variableValues: variables,
        operationName,
      });
      return answerOf({ document, operation, variables, query }, result, context.answer.status);
    },
  };
};

/** An operation, as it was read. */
interface Asked extends Pick<OperationRequest, "query" | "variables"> {
  readonly document: DocumentNode;
  readonly operation: ReturnType<typeof getOperationAST>;
}

/** Errors of syntax are not remembered: they hold the text, and finding one again is no work. */
const NONE = { get: () => undefined, set: () => {} };

/** The data of a result, which stays text where it is. */
const dataOf = (result: ExecutionResult): unknown =>
  result instanceof WrittenResult ? JSON.parse(result.text) : result.data;

/**
 * Whether an operation came to nothing because something that the server depends on is away. What has a part of an
 * answer is an answer. Without errors nothing is asked of `data`, which is text and would have to be parsed.
 */
const isUnavailable = (result: ExecutionResult): boolean =>
  result.errors?.some(({ originalError }) => originalError instanceof ServiceUnavailableError) === true &&
  Object.values(result.data ?? {}).every((value) => value === null);

const refused = (errors: readonly GraphQLFormattedError[]): Answer => ({ status: 400, body: { errors } });

/**
 * The rules call themselves for fragments within fragments: what they cannot follow to its end is refused. A rule that throws
 * an error keeps the others from what would take them too long.
 */
const faultsOf = (validate: () => readonly GraphQLError[]): readonly GraphQLError[] => {
  try {
    return validate();
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    if (!(error instanceof RangeError)) throw error;
    return [new GraphQLError("The operation has too many fragments within one another.")];
  }
};

const parsed = (parse: () => DocumentNode): DocumentNode | Answer => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refused([withCode(error, "GRAPHQL_PARSE_FAILED")]);
  }
};
