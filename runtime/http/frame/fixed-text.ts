/**
 * Serves a text that stays the same while the server runs. It is made at the first request, tagged, and compressed
 * once.
 */
import { hash } from "node:crypto";
import type { Handler } from "hono";
import type { AppEnv } from "../context.ts";
import { type Coding, codingFor, compress, LEAST_COMPRESSED } from "./compress.ts";
import type { Headers } from "./headers.ts";

interface Fixed {
  readonly text: string;
  readonly tag: string;
}

/**
 * Handles GET by answering with a text, or with 304 if the client already has it.
 *
 * @param make makes the text
 * @param headers headers of the answer, including its content type
 */
export const fixedText = (make: () => string | Promise<string>, headers: Headers): Handler<AppEnv> => {
  let fixed: Promise<Fixed> | undefined;
  const compressed = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const prepare = async (): Promise<Fixed> => {
    const text = await make();
    return { text, tag: `W/"${hash("sha1", text, "base64")}"` };
  };
  return async (c) => {
    const { text, tag } = await (fixed ??= prepare());
    const isLong = text.length >= LEAST_COMPRESSED && c.get("services").config.server.compression;
    const own = { ...headers, ETag: tag, "Cache-Control": "no-cache", Vary: "Origin, Accept-Encoding" };
    if (c.req.header("if-none-match")?.includes(tag.slice(2)) === true) return c.body(null, 304, own);
    const coding = isLong ? codingFor(c.req.header("accept-encoding") ?? "") : undefined;
    if (coding === undefined) return c.body(text, 200, own);
    const bytes = compressed.get(coding) ?? compress(text, coding);
    compressed.set(coding, bytes);
    return c.body(await bytes, 200, { ...own, "Content-Encoding": coding });
  };
};
