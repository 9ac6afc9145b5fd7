/** Sends requests to a server. */
import { messageOf } from "../../runtime/base/thrown.ts";
import { parseJson } from "../base/json.ts";
import type { CompatRequest } from "./request.ts";

export interface Answer {
  readonly status: number;
  /** Parsed JSON, or the number of bytes of anything else. */
  readonly body: unknown;
}

export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string | undefined;
  readonly graphqlPath: string;
}

const SECONDS = 60;

const headersFor = ({ token }: Target, { anonymous }: CompatRequest): Record<string, string> =>
  token === undefined || anonymous === true ? {} : { Authorization: `Bearer ${token}` };

const init = (target: Target, request: CompatRequest): RequestInit => {
  const headers = { Accept: "application/json", ...headersFor(target, request) };
  // A redirect is an answer: following it could send the token elsewhere.
  const common = { redirect: "manual", signal: AbortSignal.timeout(SECONDS * 1000) } as const;
  if (request.kind === "rest") return { ...common, headers };
  const { query, variables } = request;
  return {
    ...common,
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json", "Apollo-Require-Preflight": "true" },
    body: JSON.stringify({ query, ...(variables && { variables }) }),
  };
};

/** Larger than any answer that could be compared; limits a server that never ends its answer. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A nesting depth far beyond any answer's: the comparison is recursive. */
const MOST_LEVELS = 1000;

const bytesOf = async (response: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isTooDeep = (value: unknown): boolean => {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
};

const bodyOf = async (response: Response): Promise<unknown> => {
  const bytes = await bytesOf(response);
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return { bytes: bytes.length };
  const value = parseJson(new TextDecoder().decode(bytes));
  if (isTooDeep(value)) throw new Error(`the answer has more than ${MOST_LEVELS} levels`);
  return value === undefined ? { bytes: bytes.length } : value;
};

/** A server's answer; if it fails to answer for any reason, an answer with status 0. */
export const ask = async (target: Target, request: CompatRequest): Promise<Answer> => {
  const path = request.kind === "rest" ? request.path : target.graphqlPath;
  try {
    const response = await fetch(`${target.url}${path}`, init(target, request));
    return { status: response.status, body: await bodyOf(response) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: 0, body: { message: messageOf(cause) } };
  }
};
