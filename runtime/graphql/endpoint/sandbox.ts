/** The page that browsers get at the endpoint: GraphiQL, with everything it needs inside it. */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import type { Context } from "hono";
import { builtFile } from "../../base/package-folder.ts";
import type { AppEnv } from "../../http/context.ts";

/** The inline scripts of the page, by hash, and what an editor in a page needs: styles of its own, workers from blobs. */
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

/** The page, compressed, as the build has written it. */
export const sandboxFile = (): string => builtFile("graphiql.html.br");

/** Stands in the page for the path of the endpoint. */
export const ENDPOINT = "/of-endpoint";

const render = async (endpoint: string) => {
  const html = brotliDecompressSync(await readFile(sandboxFile()))
    .toString()
    .replace(ENDPOINT, endpoint);
  return { html, policy: policyOf(html) };
};

/** Serves the page; it is unpacked at the first visit, because it is large and few servers ever need it. */
export const sandbox = (endpoint: string): ((c: Context<AppEnv>) => Promise<Response>) => {
  let page: ReturnType<typeof render> | undefined;
  return async (c) => {
    const { html, policy } = await (page ??= render(endpoint));
    return c.body(html, 200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
  };
};
