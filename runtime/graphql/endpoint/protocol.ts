/** GraphQL over HTTP: reads one operation from a request, or throws the response that says what is wrong with it. */
import type { Context } from "hono";
import { isRecord } from "../../base/is-record.ts";
import type { Config } from "../../config/config.ts";

/** One operation as a client sends it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Content types that a page of any origin may send without a preflight. */
const SIMPLE_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
/** Headers that no page of another origin can set without a preflight. */
const PREFLIGHT_HEADERS = ["x-apollo-operation-name", "apollo-require-preflight"];

/**
 * Refuses requests that a page of another origin could make a browser send along with the visitor's cookies.
 *
 * @throws ProtocolError
 */
export const demandPreflight = ({ req }: Context): void => {
  const type = req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const isPreflighted = type !== undefined && type !== "" && !SIMPLE_TYPES.includes(type);
  if (isPreflighted || PREFLIGHT_HEADERS.some((name) => req.header(name))) return;
  throw new ProtocolError(
    400,
    `This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify a 'content-type' header (with a type that is not one of ${SIMPLE_TYPES.join(", ")}) or provide a non-empty value for one of the following headers: ${PREFLIGHT_HEADERS.join(", ")}\n`,
  );
};

/** Reads the operation from the parsed body of a POST request, or from the query string of a GET request. */
export const readOperation = ({ req }: Context, body: unknown, findText: FindText): OperationRequest => {
  if (req.method === "POST") return operation(fromBody(body), findText);
  if (req.method === "GET" || req.method === "HEAD") return operation(fromQuery(req.query()), findText);
  throw new ProtocolError(405, "Apollo Server supports only GET/POST requests.", { allow: "GET, POST" });
};

type Given = Readonly<Record<string, unknown>>;

const fromBody = (body: unknown): Given => {
  if (Array.isArray(body)) throw new ProtocolError(400, "Operation batching disabled.");
  if (!isRecord(body) || Object.keys(body).length === 0) {
    throw new ProtocolError(400, "POST body missing, invalid Content-Type, or JSON object has no keys.");
  }
  if (typeof body["variables"] === "string") {
    throw new ProtocolError(
      400,
      "`variables` in a POST body should be provided as an object, not a recursively JSON-encoded string.",
    );
  }
  return body;
};

const fromQuery = (query: Readonly<Record<string, string>>): Given => ({
  ...query,
  variables: parsedParameter(query, "variables"),
  extensions: parsedParameter(query, "extensions"),
});

const parsedParameter = (query: Readonly<Record<string, string>>, name: string): unknown => {
  const text = query[name];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError(400, `The \`${name}\` search parameter contains invalid JSON.`);
  }
};

const operation = (given: Given, findText: FindText): OperationRequest => {
  const { operationName, variables } = given;
  const query = findText(given);
  if (query === undefined || query === null || query === "") {
    throw new ProtocolError(
      400,
      "GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.",
    );
  }
  if (typeof query !== "string") throw new ProtocolError(400, "GraphQL queries must be strings.");
  if (variables !== undefined && variables !== null && !isRecord(variables)) {
    throw new ProtocolError(400, "`variables` must be an object.");
  }
  return {
    query,
    operationName: typeof operationName === "string" ? operationName : undefined,
    variables: variables ?? undefined,
  };
};

const RESPONSE_TYPE = "application/graphql-response+json";
const JSON_TYPE = "application/json";

/** The default content type of responses. */
export const JSON_ANSWER = `${JSON_TYPE}; charset=utf-8`;

/** The content type of the response, by the Accept header; throws 406 if it accepts neither of the two. */
export const negotiate = (accept: string | undefined): string => {
  const accepted = (accept ?? "").split(",").map((entry) => entry.split(";")[0]?.trim().toLowerCase() ?? "");
  const takes = (...types: readonly string[]): boolean => accepted.some((entry) => types.includes(entry));
  if (takes("", "*/*", "application/*", JSON_TYPE)) return JSON_ANSWER;
  if (takes(RESPONSE_TYPE)) return `${RESPONSE_TYPE}; charset=utf-8`;
  throw new ProtocolError(
    406,
    `An 'accept' header was provided for this request which does not accept ${JSON_ANSWER} or ${RESPONSE_TYPE}; charset=utf-8`,
  );
};

interface ProtocolErrorOptions {
  readonly code?: string;
  /** The methods to use instead, with status 405. */
  readonly allow?: string;
}

/** Thrown for a request that is not a valid operation; carries the response. */
export class ProtocolError extends Error {
  readonly status: 200 | 400 | 405 | 406;
  readonly code: string;
  readonly allow: string | undefined;

  constructor(
    status: 200 | 400 | 405 | 406,
    message: string,
    { code = "BAD_REQUEST", allow }: ProtocolErrorOptions = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.allow = allow;
  }
}

/** Finds the text to run; `undefined` if the client gave none. The result need not be a string. */
export type FindText = (given: Given) => unknown;

/** The name of a persisted operation, from either of the places where clients put it. */
const nameOf = ({ documentId, extensions }: Given): string | undefined => {
  if (typeof documentId === "string") return documentId;
  const persistedQuery = isRecord(extensions) ? extensions["persistedQuery"] : undefined;
  const hash = isRecord(persistedQuery) ? persistedQuery["sha256Hash"] : undefined;
  return typeof hash === "string" ? hash : undefined;
};

const hasText = ({ query }: Given): boolean => query !== undefined && query !== null && query !== "";

/** Clients that get this error code send texts from then on. */
const withoutPersisted: FindText = (given) => {
  if (nameOf(given) !== undefined && !hasText(given)) {
    throw new ProtocolError(200, "PersistedQueryNotSupported", { code: "PERSISTED_QUERY_NOT_SUPPORTED" });
  }
  return given["query"];
};

/** Creates the function that finds the text of an operation, as the configuration says. */
export const createFindText = (persisted: Config["graphql"]["persistedOperations"]): FindText => {
  if (persisted === undefined) return withoutPersisted;
  const documents = new Map(Object.entries(persisted.documents));
  const texts = new Set(documents.values());
  return (given) => {
    const { query } = given;
    const name = nameOf(given);
    const known = name === undefined ? undefined : documents.get(name);
    if (known !== undefined) return known;
    const isAllowed = !persisted.required || (typeof query === "string" && texts.has(query));
    if (hasText(given) && isAllowed) return query;
    // Clients that get this error code retry with the text.
    if (name !== undefined)
      throw new ProtocolError(200, "PersistedQueryNotFound", { code: "PERSISTED_QUERY_NOT_FOUND" });
    if (!hasText(given)) return undefined;
    throw new ProtocolError(400, "Only persisted operations are allowed.", { code: "PERSISTED_QUERY_ONLY" });
  };
};
