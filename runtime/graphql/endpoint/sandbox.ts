/** The page that browsers get at the endpoint: GraphiQL, bundled into one file. */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import type { Context } from "hono";
import { builtFile } from "../../base/package-folder.ts";
import type { AppEnv } from "../../http/context.ts";

/** Allows the page's inline scripts by hash, and what the editor needs: inline styles, workers from blobs. */
const policyOf = (html: string): string => {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, source = ""]) => `'sha256-${hash("sha256", source, "base64")}'`,
  );
  return [
    "default-src 'self'",
    "base-uri 'self'",
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

/** The path of the compressed page that the build wrote. */
export const sandboxFile = (): string => builtFile("graphiql.html.br");

/** Placeholder in the page for the path of the endpoint. */
export const ENDPOINT = "/of-endpoint";

const render = async (endpoint: string) => {
  const html = brotliDecompressSync(await readFile(sandboxFile()))
    .toString()
    .replace(ENDPOINT, endpoint);
  return { html, policy: policyOf(html) };
};

/** Serves the page. It is decompressed at the first visit, because it is large and few servers ever need it. */
export const sandbox = (endpoint: string): ((c: Context<AppEnv>) => Promise<Response>) => {
  let page: ReturnType<typeof render> | undefined;
  return async (c) => {
    const { html, policy } = await (page ??= render(endpoint));
    return c.body(html, 200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
  };
};
