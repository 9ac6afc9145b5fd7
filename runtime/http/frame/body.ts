/** Parses JSON and form bodies, before anything is known of the caller: a body that cannot be read is a 400 to all. */
import type { MiddlewareHandler } from "hono";
import qs from "qs";
import { HttpError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { AppEnv } from "../context.ts";
import { readText } from "./read-body.ts";

/** Largest form or text body in bytes. */
const FORM_LIMIT = 57_344;

/** What is parsed as JSON: the type itself, and those that are said to be built on it. */
const JSON_TYPE = /^application\/(?:json|csp-report|[\w.-]+\+json)$/;

const syntaxError = (message: string): HttpError => new HttpError(400, "SyntaxError", message, null);

/** Deeper than any content is, and shallow enough for code that calls itself on what it finds inside. */
const DEEPEST = 200;

/** Refuses a value that came from JSON when it carries `__proto__` as a key, or nests without end. */
const checkShape = (root: unknown): void => {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw syntaxError("JSON is nested too deeply");
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      if (Object.hasOwn(value, "__proto__")) throw syntaxError("Object contains forbidden prototype property");
      for (const member of Object.values(value)) if (typeof member === "object") next.push(member);
    }
    level = next;
  }
};

/**
 * Parses an object or array; an empty text is an empty object.
 *
 * @throws HttpError 400 for anything else, and for what no client sends in good faith
 */
export const parseJson = (text: string): unknown => {
  if (text === "") return {};
  if (!/^[\t\n\r ]*[[{]/.test(text)) throw syntaxError("invalid JSON, only supports object and array");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw syntaxError(error instanceof Error ? error.message : "invalid JSON");
  }
  checkShape(value);
  return value;
};

const parseForm = (text: string): unknown => {
  try {
    return qs.parse(text, { arrayLimit: 100, depth: 20, strictDepth: true, throwOnLimitExceeded: true });
  } catch (error) {
    throw new HttpError(400, "BadRequestError", error instanceof Error ? error.message : "invalid form", null);
  }
};

const parseBody = async (request: Request, jsonLimit: number): Promise<unknown> => {
  const contentType = request.headers.get("content-type");
  if (!contentType) return undefined;
  const [type = ""] = contentType.toLowerCase().split(";");
  const essence = type.trim();
  if (JSON_TYPE.test(essence)) return parseJson(await readText(request, jsonLimit));
  if (essence === "application/x-www-form-urlencoded") return parseForm(await readText(request, FORM_LIMIT));
  if (essence.startsWith("text/")) await readText(request, FORM_LIMIT);
  return undefined;
};

/** What `work` resolves to; a 408 when it takes longer than some seconds. The server then closes the connection. */
const inTime = async <Result>(work: Promise<Result>, seconds: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const give = () => reject(new HttpError(408, "RequestTimeoutError", "Request Timeout", null));
    timer = setTimeout(give, seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Sets `c.get("body")`; multipart bodies are left unread for the handlers that take them. */
export const bodyParser =
  ({ bodyLimit, bodySeconds }: Pick<Config["server"], "bodyLimit" | "bodySeconds">): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { method } = c.req;
    const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
    c.set("body", hasBody ? await inTime(parseBody(c.req.raw, bodyLimit), bodySeconds) : null);
    await next();
  };
