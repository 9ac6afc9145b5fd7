/** Asks a server. */
import { messageOf } from "../../runtime/base/thrown.ts";
import type { CompatRequest } from "./request.ts";

export interface Answer {
  readonly status: number;
  /** JSON, or the number of bytes of what is none. */
  readonly body: unknown;
}

export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
  readonly graphqlPath: string;
}

const SECONDS = 60;

const headersFor = ({ token }: Target, { anonymous }: CompatRequest): Record<string, string> =>
  token === undefined || anonymous === true ? {} : { Authorization: `Bearer ${token}` };

const init = (target: Target, request: CompatRequest): RequestInit => {
  const headers = { Accept: "application/json", ...headersFor(target, request) };
  // A redirect is an answer: what it leads to is not asked, and gets no token.
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

const bodyOf = async (response: Response): Promise<unknown> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return { bytes: bytes.length };
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { bytes: bytes.length };
  }
};

/** The answer of a server; whatever keeps it from answering is an answer with status 0. */
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
