/** Reads and parses the bodies of requests. */
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import qs from "qs";
import { AbandonedError, BadRequestError, ForbiddenError, HttpError, ValidationError } from "../../base/errors.ts";
import { inTime } from "../../base/in-time.ts";
import type { Config } from "../../config/config.ts";
import { refuseFaults } from "../../query/parse.ts";
import type { AppEnv } from "../context.ts";
import { actionOfHandler } from "../rest/router.ts";
import { requestServices } from "./client.ts";

const tooLarge = (): HttpError => new HttpError(413, "PayloadTooLargeError", "request entity too large", null);

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Creates the stream that decompresses the body; undefined when it is not compressed. Throws 415 for an unknown
 * encoding.
 */
const decompressorOf = (request: Request): (() => Transform) | undefined => {
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return undefined;
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (decompressor) return decompressor;
  throw new HttpError(415, "Error", `Unsupported Content-Encoding: ${encoding}`, null);
};

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The position of the first invalid UTF-8 byte; plain decoding would replace it. */
const invalidByte = (bytes: Buffer): number => {
  const replaced = Buffer.from(bytes.toString());
  return bytes.findIndex((byte, index) => byte !== replaced[index]);
};

/** Decodes as UTF-8, which JSON and forms use here whatever charset the content type names. */
const decoded = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BadRequestError(`The body is not valid UTF-8, from byte ${invalidByte(bytes)} on`, null);
  }
};

const readChunks = async (chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> => {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    held.push(chunk);
  }
  return decoded(Buffer.concat(held));
};

/**
 * Reads the text of a body of at most `limit` bytes.
 *
 * @throws HttpError 413 for a body that is larger, by its announced or its real length; 415 for an unknown encoding;
 *   400 for one that cannot be decompressed
 */
export const readText = async (request: Request, limit: number): Promise<string> => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limit) throw tooLarge();
  const decompressor = decompressorOf(request);
  try {
    // Node holds the sender to the announced length, so the whole body can be read at once, without a stream that counts.
    if (length !== null && !decompressor) return decoded(Buffer.from(await request.arrayBuffer()));
    if (!request.body) return "";
    const through = decompressor?.() ?? new PassThrough();
    // The limit applies to the decompressed size, since a few bytes can expand to very many.
    return await pipeline(request.body, through, (chunks: AsyncIterable<Uint8Array>) => readChunks(chunks, limit));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof Error && "errno" in error)
      throw new BadRequestError("The compressed body cannot be read", null);
    // A client that disconnects before the end gets no response, so this does not count as an error of ours.
    throw new AbandonedError();
  }
};

/** Largest form or text body in bytes. */
const FORM_LIMIT = 57_344;

/** Content types that are parsed as JSON: JSON itself, and types based on it, such as those that end in `+json`. */
const JSON_TYPE = /^application\/(?:json|csp-report|[\w.-]+\+json)$/;

const syntaxError = (message: string): HttpError => new HttpError(400, "SyntaxError", message, null);

/** How deep JSON may nest: deeper than real content ever does, yet shallow enough for recursive functions. */
const DEEPEST = 200;

const tooManyMembers = (most: number): ValidationError =>
  new ValidationError(`A body may have at most ${most} members, of all its objects and lists together`, {
    key: null,
    path: null,
    source: "body",
  });

/** The index of the quote that ends the text which begins at `start`. */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === "\\") before -= 1;
    // Backslashes in pairs stand for themselves.
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
};

/**
 * Refuses JSON with deeper nesting than allowed, or with more than `most` members: one for each comma, and one for each
 * object or list that is not empty. It looks at the text, because parsing an object with very many keys takes much longer.
 */
const checkSize = (json: string, most: number): void => {
  let depth = 0;
  let members = 0;
  let before: string | undefined;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    switch (character) {
      case " ":
      case "\t":
      case "\r":
      case "\n":
        continue;
      case '"':
        index = endOfText(json, index);
        break;
      case ",":
        members += 1;
        break;
      case "[":
      case "{":
        depth += 1;
        break;
      case "]":
      case "}":
        depth -= 1;
        if (before !== "[" && before !== "{") members += 1;
    }
    if (depth > DEEPEST + 1) throw syntaxError("JSON is nested too deeply");
    // The object or list that just began may be empty.
    const open = character === "[" || character === "{" ? depth - 1 : depth;
    if (members + open > most) throw tooManyMembers(most);
    before = character;
  }
};

/** Whether a key may be `__proto__`, which may be written with escapes. */
const mayHavePrototype = (json: string): boolean => json.includes("__proto__") || json.includes("\\u");

const refusePrototype = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) throw syntaxError("Object contains forbidden prototype property");
  for (const member of Object.values(value)) refusePrototype(member);
};

/**
 * Parses an object or array; an empty text is an empty object.
 *
 * @param most how many members all objects and arrays in it may have together
 * @throws HttpError 400 for other JSON values, invalid JSON, a key `__proto__`, and what `checkSize` refuses
 */
export const parseJson = (text: string, most: number): unknown => {
  if (text === "") return {};
  if (!/^[\t\n\r ]*[[{]/.test(text)) throw syntaxError("invalid JSON, only supports object and array");
  checkSize(text, most);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw syntaxError(error instanceof Error ? error.message : "invalid JSON");
  }
  if (mayHavePrototype(text)) refusePrototype(value);
  return value;
};

type Settings = Pick<Config, "server" | "limits">;

/** Most members in a body that logs in, registers or changes a password: those describe one user only. */
const ACCOUNT_MEMBERS = 500;
const ACCOUNT_ACTION = "plugin::users-permissions.auth.";

/** The settings for bodies of an action. */
const settingsOf = (action: string | undefined, settings: Settings): Settings => {
  const { limits } = settings;
  if (!action?.startsWith(ACCOUNT_ACTION)) return settings;
  return { ...settings, limits: { ...limits, bodyMembers: Math.min(limits.bodyMembers, ACCOUNT_MEMBERS) } };
};

const parseForm = (text: string): unknown => {
  refuseFaults(text, "body");
  try {
    return qs.parse(text, { arrayLimit: 100, depth: 20, strictDepth: true, throwOnLimitExceeded: true });
  } catch (error) {
    throw new HttpError(400, "BadRequestError", error instanceof Error ? error.message : "invalid form", null);
  }
};

/**
 * Reads the body, and stores the text where Hono's `c.req.text()` finds it: webhooks need the exact text to check a
 * signature.
 */
const readFor = async ({ raw, bodyCache }: HonoRequest, limit: number): Promise<string> => {
  const text = await readText(raw, limit);
  Object.assign(bodyCache, { text: Promise.resolve(text) });
  return text;
};

const parseBody = async (request: HonoRequest, { server, limits }: Settings): Promise<unknown> => {
  const contentType = request.header("content-type");
  if (!contentType) return undefined;
  const [type = ""] = contentType.toLowerCase().split(";");
  const essence = type.trim();
  if (JSON_TYPE.test(essence)) return parseJson(await readFor(request, server.bodyLimit), limits.bodyMembers);
  if (essence === "application/x-www-form-urlencoded") return parseForm(await readFor(request, FORM_LIMIT));
  if (essence.startsWith("text/")) await readFor(request, FORM_LIMIT);
  return undefined;
};

const TIMEOUT = 408;

const tooLate = (): HttpError => new HttpError(TIMEOUT, "RequestTimeoutError", "Request Timeout", null);

/** The parsed body; throws 408 when it takes longer than `seconds` to arrive. The server then closes the connection. */
const parseInTime = (request: HonoRequest, settings: Settings, seconds: number): Promise<unknown> =>
  inTime(parseBody(request, settings), seconds * 1000, tooLate);

/** The action that the next handler checks, if that handler was made by `can`. */
const nextAction = (c: Context<AppEnv>): string | undefined => {
  const next = matchedRoutes(c)[c.req.routeIndex + 1];
  return next && actionOfHandler(next.handler);
};

/** Largest body, in bytes, that is expected to arrive together with the head, and the seconds it may take. */
const SHORT = { bytes: 4096, seconds: 0.5 };

/**
 * The wire contract reports faults in a short body even to callers without permission. Longer bodies are not read for
 * them.
 */
const checkShort = async (request: HonoRequest, settings: Settings): Promise<void> => {
  const length = request.header("content-length");
  if (length === undefined || Number(length) > SHORT.bytes) return;
  try {
    await parseInTime(request, settings, SHORT.seconds);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== TIMEOUT) throw error;
  }
};

/**
 * Parses the body into `c.get("body")` if the caller has the permission for the route; the text stays available by
 * `c.req.text()` and `c.req.json()`. Multipart bodies are left unread for the handlers that take them. Must run after
 * the caller has been determined.
 */
export const bodyParser =
  (settings: Settings): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { method } = c.req;
    const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
    const action = hasBody ? nextAction(c) : undefined;
    const own = settingsOf(action, settings);
    // The caller gets a 403, so a long body need not be read.
    if (action !== undefined && !c.get("caller").can(action)) {
      await checkShort(c.req, own);
      throw new ForbiddenError();
    }
    c.set("body", hasBody ? await parseInTime(c.req, own, own.server.bodySeconds) : null);
    // What the client itself took to send the body is not counted.
    if (hasBody) c.get("client")?.restart();
    if (hasBody || method === "DELETE") c.set("services", requestServices(c));
    await next();
  };
