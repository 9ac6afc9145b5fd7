/** Reads what write routes need from a request, and answers them. */
import type { Context } from "hono";
import { BadRequestError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type * as operations from "../../documents/operations/index.ts";
import type { RawQuery } from "../../query/index.ts";
import { validationError } from "../../schema/validation/check.ts";
import { valueText } from "../../schema/validation/print.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { contextOf, parsedQueryOf } from "./read-request.ts";
import { answerDocument, metaOf, withAdded } from "./read.ts";

/** The parameters of the query string, and those that the route adds. */
export const queryOf = (c: Context<AppEnv>): RawQuery => withAdded(parsedQueryOf(c), c.get("added"));

/** `If-Match`: the `updatedAt` of the version that the client has read, in quotes. `*` matches any version. */
export const expectedOf = (c: Context<AppEnv>): string | undefined => {
  const tag = c.req.header("if-match");
  if (tag === undefined || tag.trim() === "*") return undefined;
  const [, updatedAt] = /^\s*"([^"]*)"\s*$/.exec(tag) ?? [];
  if (updatedAt === undefined) throw new BadRequestError('If-Match takes one "updatedAt" of a document, in quotes');
  return updatedAt;
};

/** A hint for requests whose body has no content type, or one that we do not parse. */
const contentTypeHint = (c: Context<AppEnv>): string => {
  const isSent = c.req.header("transfer-encoding") !== undefined || Number(c.req.header("content-length") ?? 0) > 0;
  if (c.get("body") !== undefined || !isSent) return "";
  const type = c.req.header("content-type");
  const found = type === undefined ? "it has no Content-Type" : `its Content-Type is ${JSON.stringify(type)}`;
  return `: ${found}, send it with "Content-Type: application/json"`;
};

/** The member `data` of the body. */
export const dataOf = (c: Context<AppEnv>): Readonly<Record<string, unknown>> => {
  const body = c.get("body");
  const data: unknown = isRecord(body) ? body["data"] : undefined;
  if (isRecord(data)) return data;
  if (!Array.isArray(data))
    throw new ValidationError(`Missing "data" payload in the request body${contentTypeHint(c)}`);
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${valueText(data)}\`).`;
  throw validationError([{ path: [], message, name: "ValidationError", value: null }]);
};

/** The locale that `meta` in the body names to copy from. */
export const copyFromOf = (c: Context<AppEnv>): unknown => {
  const body = c.get("body");
  const meta = isRecord(body) ? body["meta"] : undefined;
  return isRecord(meta) ? (meta["copyFrom"] ?? undefined) : undefined;
};

/** The same, if the body is optional. */
export const optionalDataOf = (c: Context<AppEnv>): Readonly<Record<string, unknown>> => {
  const body = c.get("body");
  return isRecord(body) && body["data"] !== undefined ? dataOf(c) : {};
};

/**
 * Answers with the envelope of the written document, or with only its documentId if the caller may not read it; 404 if
 * there is none.
 */
export const answerDone = async (
  c: Context<AppEnv>,
  done: operations.Done | null,
  status: 200 | 201 = 200,
  more: object = {},
): Promise<Response> => {
  if (done === null) return answerDocument(c, null);
  const { type, version } = done.plan;
  if (done.shown)
    return answerDocument(c, done.shown, status, { ...(await metaOf(contextOf(c), type, version)), ...more });
  const meta = JSON.stringify(more);
  return sendJson(c, `{"data":{"documentId":${JSON.stringify(done.documentId)}},"meta":${meta}}`, status);
};
