/** Recorded requests: access logs, lists of addresses, and exchanges as JSON lines. */
import { parse } from "graphql";
import { z } from "zod";
import { type CompatRequest, restRequest } from "../request.ts";

const graphqlBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

const exchange = z.looseObject({
  method: z.string().default("GET"),
  path: z.string().optional(),
  url: z.string().optional(),
  auth: z.string().optional(),
  request: z.unknown().optional(),
  body: z.unknown().optional(),
});

/** Whether a document contains only queries. */
const onlyReads = (query: string): boolean => {
  try {
    return parse(query).definitions.every(
      (definition) => definition.kind !== "OperationDefinition" || definition.operation === "query",
    );
  } catch {
    return false;
  }
};

const graphql = (body: unknown, anonymous: boolean): CompatRequest | undefined => {
  const found = graphqlBody.safeParse(body);
  if (!found.success || !onlyReads(found.data.query)) return undefined;
  const { query, variables } = found.data;
  return { kind: "graphql", query, ...(variables && { variables }), ...(anonymous && { anonymous }) };
};

/** Skips callers other than the public and full-access tokens: their credentials are unknown. */
const fromJson = (line: string): CompatRequest | undefined => {
  const found = exchange.safeParse(JSON.parse(line));
  if (!found.success) return undefined;
  const { method, path, url, auth, request, body } = found.data;
  const anonymous = auth === "none";
  if (auth !== undefined && auth !== "none" && auth !== "full") return undefined;
  if (method.toUpperCase() === "POST") return graphql(request ?? body, anonymous);
  if (method.toUpperCase() !== "GET") return undefined;
  const rest = restRequest(path ?? url ?? "");
  return rest && { ...rest, ...(anonymous && { anonymous }) };
};

/** `"GET /api/articles HTTP/1.1" 200`, or `GET /api/articles (12 ms) 200`. */
const LOGGED = /\bGET\s+((?:https?:\/\/|\/)[^\s"]+)/;

const fromLine = (line: string): CompatRequest | undefined => {
  if (line.startsWith("{")) return fromJson(line);
  const [, logged] = LOGGED.exec(line) ?? [];
  if (logged !== undefined) return restRequest(logged);
  return /^(?:https?:\/\/|\/)\S+$/.test(line) ? restRequest(line) : undefined;
};

const read = (line: string): CompatRequest | undefined => {
  try {
    return fromLine(line);
  } catch {
    return undefined;
  }
};

/** The distinct requests of a file, in order. */
export const recordedSet = (text: string) => {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const found = lines.map((line) => read(line.trim()));
  const requests = new Map(
    found.flatMap((request) => (request === undefined ? [] : [[JSON.stringify(request), request] as const])),
  );
  // `skipped`: lines without a read request.
  return { requests: [...requests.values()], skipped: found.filter((request) => request === undefined).length };
};
