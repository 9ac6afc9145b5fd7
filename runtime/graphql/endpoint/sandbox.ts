/** The page that browsers get at the endpoint: GraphiQL, with everything it needs inside it. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { AppEnv } from "../../http/context.ts";

interface Page {
  readonly html: string;
  readonly policy: string;
}

/** The inline scripts of the page, by hash, and what an editor in a page needs: styles of its own, workers from blobs. */
const policyOf = (html: string): string => {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, source = ""]) => `'sha256-${createHash("sha256").update(source).digest("base64")}'`,
  );
  return [
    "default-src 'self'",
    "base-uri 'self'",
    "connect-src 'self'",
    "font-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
  ].join(";");
};

const render = async (endpoint: string): Promise<Page> => {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL({
    endpoint,
    title: "GraphQL",
    defaultQuery: "query {\n  __typename\n}\n",
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
  });
  return { html, policy: policyOf(html) };
};

/** What is shown where the optional package of the page was not installed. */
const notice: Page = {
  html: "<!doctype html><title>GraphQL</title><p>The sandbox needs the optional package @graphql-yoga/render-graphiql.</p>",
  policy: "default-src 'none'",
};

/** Serves the page; it is rendered at the first visit, because it is large and few servers ever need it. */
export const sandbox = (endpoint: string): ((c: Context<AppEnv>) => Promise<Response>) => {
  let page: Promise<Page> | undefined;
  return async (c) => {
    const { html, policy } = await (page ??= render(endpoint).catch(() => notice));
    return c.body(html, 200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
  };
};
