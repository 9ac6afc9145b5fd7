/** Servers for `cms compat` that answer what a test says, and what the command prints of them as JSON. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { z } from "zod";

export const comparison = z.object({
  requests: z.number(),
  equal: z.number(),
  skipped: z.number(),
  groups: z.array(
    z.object({
      kind: z.string(),
      reason: z.string(),
      setting: z.string().optional(),
      count: z.number(),
      examples: z.array(z.object({ request: z.string() })),
    }),
  ),
});

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** A server that notes what it is asked, and sends everybody elsewhere. */
export const witness = async (
  answer: (seen: Seen) => { status: number; headers?: Record<string, string>; body: unknown },
) => {
  const seen: Seen[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers: sentHeaders } = request;
    const one = { method, url, authorization: sentHeaders.authorization, body: await bodyOf(request) };
    seen.push(one);
    const { status, headers, body: sent } = answer(one);
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(sent));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
};
