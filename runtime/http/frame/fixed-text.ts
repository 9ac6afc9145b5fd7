/**
 * Serves a text that stays the same while the server runs. It is made at the first request, tagged, and compressed
 * once.
 */
import type { Handler } from "hono";
import type { AppEnv } from "../context.ts";
import { conditionsOf, sendReply } from "./answer.ts";
import type { Headers } from "./headers.ts";
import { fitted, ReadAnswer } from "./read-answer.ts";

/**
 * Handles GET by answering with a text, or with 304 if the client already has it.
 *
 * @param make makes the text
 * @param headers headers of the response, including its content type
 */
export const fixedText = (make: () => string | Promise<string>, headers: Headers): Handler<AppEnv> => {
  let answer: Promise<ReadAnswer> | undefined;
  const prepare = async (): Promise<ReadAnswer> =>
    ReadAnswer.tagged(await make(), { "Cache-Control": "no-cache", ...headers });
  return async (c) => sendReply(c, await fitted(await (answer ??= prepare()), conditionsOf(c)));
};
