/** An application behind a server that listens, with its response cache before it. */
import { type Handler, listen } from "../../runtime/http/listen.ts";
import type { Answer, SendOptions } from "./auth-app.ts";
import type { Cleanup } from "./database.ts";
import type { ExampleApp } from "./example-app.ts";

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Listens on a free port; `send` goes over the wire from then on. */
export const served = async (app: ExampleApp, cleanup: Cleanup): Promise<ExampleApp & { readonly port: number }> => {
  const fetchApp: Handler["fetch"] = (request, env) => app.app.fetch(request, env);
  const { responseCache } = app.services;
  const { port, close } = await listen(
    {
      fetch: fetchApp,
      ...(responseCache ? { responseCache: (...request) => responseCache.handle(...request) } : {}),
    },
    { ...app.services.config.server, host: "127.0.0.1", port: 0, shutdownSeconds: 1 },
  );
  cleanup(close);
  const send = async (method: string, path: string, options: SendOptions = {}): Promise<Answer> => {
    const { body, token, headers = {} } = options;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) };
  };
  const graphql: ExampleApp["graphql"] = (query, variables = {}, { token } = {}) =>
    send("POST", "/graphql", { body: { query, variables }, ...(token ? { token } : {}) });
  return { ...app, port, send, graphql };
};
