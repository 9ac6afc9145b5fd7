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

/** More than any answer that could be compared; a server that does not end its answer gets no further. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Objects and lists in each other, far beyond what answers have: comparing is recursive. */
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const bodyOf = async (response: Response): Promise<unknown> => {
  const bytes = await bytesOf(response);
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return { bytes: bytes.length };
  const value = parsed(new TextDecoder().decode(bytes));
  if (isTooDeep(value)) throw new Error(`the answer has more than ${MOST_LEVELS} levels`);
  return value === undefined ? { bytes: bytes.length } : value;
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
