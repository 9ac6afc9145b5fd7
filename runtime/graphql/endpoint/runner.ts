/** Runs one operation: checks its nesting, lets Yoga parse and validate it, with its caches, and calls the executor. */
import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { maxTokensPlugin } from "@escape.tech/graphql-armor-max-tokens";
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Lexer,
  type OperationDefinitionNode,
  Source,
  TokenKind,
  type ValidationRule,
} from "graphql";
import { createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import { LRUCache } from "lru-cache";
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Services } from "../../http/context.ts";
import { AnswerSize, Budget } from "../../query/index.ts";
import type { GraphqlContext } from "../context.ts";
import { ReadyAnswers, WrittenResult } from "../execution/ready-answer.ts";
import {
  type Answer,
  bodyOf,
  failureOf,
  formatExecutionError,
  refusal,
  withCode,
  withoutSuggestion,
} from "./answer.ts";
import { type Cut, cutsIn } from "./cut.ts";
import { type OperationRequest, ProtocolError } from "./protocol.ts";
import { extraRules } from "./rules.ts";

/** Limits of the cache: operations, and bytes of memory for all of them together. */
const DOCUMENTS = { max: 1024, maxSize: 32_000_000 };
/**
 * Bytes that a token and its AST nodes take at most: a name alone, which is a field, takes the most.
 * Measured with Node 20.
 */
const TOKEN = 500;
/** Bytes that a character takes at most. */
const CHARACTER = 2;

const weigh = ({ loc }: DocumentNode, text: string): number => {
  let tokens = 1;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * TOKEN + text.length * CHARACTER;
};

/** Anybody can send operations to parse, so the cache limits memory, not only the number of entries. */
const parsedDocuments = (): LRUCache<string, DocumentNode> => new LRUCache({ ...DOCUMENTS, sizeCalculation: weigh });

/** Deeper than any real operation; JSON bodies have the same limit. */
const DEEPEST = 200;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Whether a text has too few brackets, including those in strings, to nest too deeply. */
const hasFewBrackets = (text: string): boolean => {
  let count = 0;
  for (const character of text) if (character === "{" || character === "[" || character === "(") count += 1;
  return count <= DEEPEST;
};

/** Throws a GraphQLError if an operation nests too deeply, or has an invalid token before that point. */
const checkNesting = (text: string): void => {
  if (hasFewBrackets(text)) return;
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (OPENING.has(token.kind)) depth += 1;
    if (CLOSING.has(token.kind)) depth -= 1;
    if (depth > DEEPEST) throw new GraphQLError("Syntax Error: The operation is nested too deeply.");
  }
};

/** Reports operations over the limit like any other validation error. */
const aliasLimit = (n: number): Plugin =>
  maxAliasesPlugin({
    n,
    propagateOnRejection: false,
    onReject: [(context, error) => context?.reportError(error)],
  });

/** Writes ready responses directly; the executor, which answers in the order of the selection, handles the rest. */
const readyFirst = (ready: ReadyAnswers): Plugin<GraphqlContext> => ({
  onExecute: ({ args: { contextValue }, setExecuteFn }) =>
    setExecuteFn(async (args) => {
      const answering = ready.prepare({ ...args, contextValue });
      return answering ? answering() : fitting(await execute(args), contextValue);
    }),
});

const withRules = (rules: readonly ValidationRule[]): Plugin => ({
  onValidate: ({ addValidationRule }) => rules.forEach(addValidationRule),
});

/** Replaces a response that exceeds the size limit with the error. */
const fitting = (result: ExecutionResult, { size: { refusal } }: GraphqlContext): ExecutionResult =>
  refusal ? { data: null, errors: [new GraphQLError(refusal.message, { originalError: refusal })] } : result;

export interface RunnerOptions {
  /** Whether introspection is allowed. */
  readonly introspection: boolean;
  /** Whether errors suggest names ("Did you mean …?"). */
  readonly suggestions: boolean;
}

/** What is known about a request before its operation is executed. */
type RequestContext = Omit<GraphqlContext, "size" | "budget">;

/** The HTTP method of an operation, and whether its client accepts an event stream. */
interface Taken {
  readonly method: string;
  readonly takesEvents: boolean;
}

/** A parsed operation. */
interface Executed extends Pick<OperationRequest, "query" | "variables"> {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode | null | undefined;
}

/** Runs operations against a schema. */
export class Runner {
  readonly #services: Services;
  readonly #schema: GraphQLSchema;
  readonly #suggestions: boolean;
  readonly #documents: ReturnType<typeof parsedDocuments> | undefined;
  readonly #yoga: YogaServerInstance<GraphqlContext, object>;

  constructor(services: Services, schema: GraphQLSchema, { introspection, suggestions }: RunnerOptions) {
    const { graphql } = services.config;
    this.#services = services;
    this.#schema = schema;
    this.#suggestions = suggestions;
    this.#documents = graphql.server.cache ? parsedDocuments() : undefined;
    this.#yoga = createYoga<GraphqlContext>({
      schema,
      logging: false,
      maskedErrors: false,
      graphiql: false,
      parserAndValidationCache: this.#documents ? { documentCache: this.#documents, errorCache: NONE } : false,
      plugins: [
        readyFirst(new ReadyAnswers(schema)),
        maxTokensPlugin({ n: graphql.tokenLimit }),
        aliasLimit(graphql.aliasLimit),
        withRules(extraRules(services, introspection)),
        ...graphql.server.plugins,
      ],
    });
  }

  /**
   * Runs an operation.
   *
   * @throws ProtocolError for an operation that the HTTP method or the Accept header rules out
   */
  async run(
    request: OperationRequest,
    { method, takesEvents }: Taken,
    context: RequestContext,
  ): Promise<Answer | AsyncIterator<string>> {
    const { query, operationName, variables } = request;
    const { parse, validate, execute: run, subscribe } = this.#yoga.getEnveloped({ ...context, params: {} });
    const document = parsed(query, parse);
    if (document instanceof GraphQLError) return refusal([withCode(document, "GRAPHQL_PARSE_FAILED")]);
    const invalid = faultsOf(() => validate(this.#schema, document));
    if (invalid.length > 0) {
      // With its errors attached, it would take more memory than the cache counted for it.
      this.#documents?.delete(query);
      return refusal(invalid.map((error) => this.#shown(withCode(error, "GRAPHQL_VALIDATION_FAILED"))));
    }
    const operation = getOperationAST(document, operationName);
    const subscribes = operation?.operation === "subscription" && this.#schema.getSubscriptionType() !== undefined;
    if (subscribes && !takesEvents) {
      throw new ProtocolError(406, "Subscriptions are answered to clients that accept text/event-stream");
    }
    if (method !== "POST" && operation?.operation !== "query" && !subscribes) {
      throw new ProtocolError(405, "GET requests only support query operations, not mutation operations", {
        allow: "POST",
      });
    }
    const executed = { document, operation, variables, query };
    const result = await (subscribes ? subscribe : run)({
      schema: this.#schema,
      document,
      rootValue: {},
      contextValue: { ...context, ...this.#limitsOf(operation) },
      variableValues: variables,
      operationName,
    });
    if (Symbol.asyncIterator in result) return this.#texts(executed, result[Symbol.asyncIterator](), context);
    const answer = this.#answer(executed, result, context);
    return operation ? { ...answer, operation: { type: operation.operation, name: operation.name?.value } } : answer;
  }

  /** Mutations are not limited: once something is stored, the response must not be an error. */
  #limitsOf(operation: Executed["operation"]): Pick<GraphqlContext, "size" | "budget"> {
    const { config } = this.#services;
    const isLimited = operation?.operation !== "mutation" && operation?.operation !== "subscription";
    return {
      size: new AnswerSize(isLimited ? config.limits.answerSize : Infinity),
      budget: isLimited ? new Budget(config) : undefined,
    };
  }

  /** The results of a subscription as text, one after the other. */
  #texts(executed: Executed, results: AsyncIterator<ExecutionResult>, context: RequestContext): AsyncIterator<string> {
    return {
      next: async () => {
        const { done, value } = await results.next();
        return done ? { done, value } : { value: this.#answer(executed, value, context).body };
      },
      return: async () => ({ done: true, value: await results.return?.() }),
    };
  }

  #shown<Fault extends { readonly message: string }>(error: Fault): Fault {
    return this.#suggestions ? error : withoutSuggestion(error);
  }

  #answer(executed: Executed, result: ExecutionResult, { requestId, answer }: RequestContext): Answer {
    const { config, log } = this.#services;
    const errors = result.errors?.map((error: GraphQLError) =>
      this.#shown(formatExecutionError(error, config.graphql.format, log.child({ requestId }))),
    );
    const failure = failureOf(result.errors);
    if (failure) this.#services.outages.report(failure, { requestId });
    // A subscription is a valid operation, even if this schema has no root type for it.
    if (!("data" in result) && executed.operation?.operation !== "subscription") return refusal(errors ?? []);
    const cut = this.#cuts(executed, result);
    const extensions = { ...result.extensions, ...(cut.length > 0 ? { cut } : {}) };
    return {
      status: isUnavailable(result) ? 503 : answer.status,
      body: bodyOf(result, { errors, extensions }),
      isStorable: result instanceof WrittenResult && result.isStorable && this.#mayStore,
    };
  }

  /** Plugins must see every operation, so with plugins no response is stored. */
  get #mayStore(): boolean {
    return this.#documents !== undefined && this.#services.config.graphql.server.plugins.length === 0;
  }

  /** Off by default, as the wire format has no such extension. Without `pagination` no page can be too large. */
  #cuts({ document, operation, variables, query }: Executed, result: ExecutionResult): readonly Cut[] {
    const { tellCut, amountLimit } = this.#services.config.graphql;
    if (!tellCut || !operation || !query.includes("pagination")) return [];
    const data = () => (result instanceof WrittenResult ? JSON.parse(result.text) : result.data);
    return cutsIn({ schema: this.#schema, document, operation, variables, data }, amountLimit);
  }
}

/** Syntax errors are not cached: they hold the text, and finding one again is cheap. */
const NONE = { get: () => undefined, set: () => {} };

/**
 * Whether an operation failed entirely because something that the server depends on is unavailable. Partial responses
 * do not count. Without errors this does not touch `data`, which is text and would have to be parsed.
 */
const isUnavailable = (result: ExecutionResult): boolean =>
  result.errors?.some(({ originalError }) => originalError instanceof ServiceUnavailableError) === true &&
  Object.values(result.data ?? {}).every((value) => value === null);

/**
 * The rules recurse into fragments within fragments; an operation that overflows the stack is refused. A rule may also
 * throw, to keep the other rules from working on an operation that would take them too long.
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

const parsed = (query: string, parse: (query: string) => DocumentNode): DocumentNode | GraphQLError => {
  try {
    checkNesting(query);
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
};
