/** Sends a response directly through Node's response. */
import type { ServerResponse } from "node:http";
import { recordOf, REQUEST_ID } from "../../telemetry/request-record.ts";
import type { AnswerHeaders, Headers } from "../frame/headers.ts";
import type { Reply } from "../frame/read-answer.ts";

/**
 * Headers as a list of names and values in turn, which Node writes faster than an object.
 *
 * @param all names and values in turn
 * @param own headers that override `all`
 */
const withOwn = (all: readonly string[], own: Headers): string[] => {
  const list = [...all];
  for (const name of Object.keys(own)) {
    let at = 0;
    while (at < all.length && list[at] !== name) at += 2;
    if (at >= all.length) at = list.length;
    list[at] = name;
    list[at + 1] = own[name] ?? "";
  }
  return list;
};

/** @param standard the standard headers, which those of the reply override */
export const send = (outgoing: ServerResponse, standard: AnswerHeaders, { status, headers, body }: Reply): void => {
  const all = withOwn(standard.list, headers);
  const record = recordOf(outgoing.req);
  if (record) all.push(REQUEST_ID, record.id);
  if (body !== null) all.push("Content-Length", String(body.length));
  outgoing.writeHead(status, all);
  outgoing.end(body ?? undefined);
};
