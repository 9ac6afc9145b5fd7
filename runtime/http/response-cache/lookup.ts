/** What a request is looked up by in the response cache: its key and a small body, read from Node's own objects. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The request headers that a response may depend on. */
const HEADERS = [
  "accept",
  "accept-encoding",
  "apollo-require-preflight",
  "authorization",
  "content-type",
  "host",
  "if-none-match",
  "origin",
  "strapi-response-format",
  "x-apollo-operation-name",
] as const;

type HeaderName = (typeof HEADERS)[number];

export type LookupHeaders = ReadonlyMap<HeaderName, string>;

const known = new Map<string, HeaderName>(HEADERS.map((name) => [name, name]));

/** The headers that a response may depend on, as the Fetch standard reads them: repeated ones joined by commas. */
export const lookupHeaders = ({ rawHeaders }: IncomingMessage): LookupHeaders => {
  const found = new Map<HeaderName, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = known.get((rawHeaders[index] ?? "").toLowerCase());
    if (name === undefined) continue;
    const text = (rawHeaders[index + 1] ?? "").trim();
    const before = found.get(name);
    found.set(name, before === undefined ? text : `${before}, ${text}`);
  }
  return found;
};

/** Headers that are part of the key. The others are applied to a stored response, or identify the caller. */
const IN_KEY: readonly HeaderName[] = [
  "host",
  "accept",
  "content-type",
  "strapi-response-format",
  "apollo-require-preflight",
  "x-apollo-operation-name",
];

/** Stands for a header that is not there, which no value of a header contains. */
const ABSENT = "\0";

/** Keys of more characters are stored as a hash, because clients may send targets and bodies of any length. */
const LONGEST = 500;

/** The key of a request. */
export const lookupKey = (
  { method, url = "" }: IncomingMessage,
  headers: LookupHeaders,
  { rights, body }: { readonly rights: string; readonly body: string },
): string => {
  // HEAD gets the response to GET, without the body.
  const parts = [rights, method === "HEAD" ? "GET" : method, url, ...IN_KEY.map((name) => headers.get(name) ?? ABSENT)];
  const text = `${parts.join("\n")}\n\n${body}`;
  return text.length > LONGEST ? hash("sha256", text, "base64") : text;
};

/** Whether a request reads and has no body. */
export const isBodilessRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined;

/** Most bytes of such a body, and the milliseconds after the head in which it has to arrive. */
const SMALL = { bytes: 16_384, milliseconds: 100 };

/**
 * The body length that the head of a request announces; undefined if it announces no body, or one that is long,
 * compressed or of unknown length.
 */
export const smallLength = ({ headers }: IncomingMessage): number | undefined => {
  const announced = headers["content-length"];
  if (announced === undefined || !/^\d{1,5}$/.test(announced)) return undefined;
  if (headers["transfer-encoding"] !== undefined || headers["content-encoding"] !== undefined) return undefined;
  const length = Number(announced);
  return length > 0 && length <= SMALL.bytes ? length : undefined;
};

/** Waits until the whole body has arrived, without consuming any of it. */
const arrival = (incoming: IncomingMessage, length: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      incoming.off("readable", look);
      incoming.off("close", end);
      resolve();
    };
    const look = (): void => {
      if (incoming.readableLength >= length) end();
    };
    const timer = setTimeout(end, SMALL.milliseconds);
    incoming.on("readable", look);
    incoming.once("close", end);
  });

const takeWhole = (incoming: IncomingMessage, length: number): Buffer | undefined => {
  if (incoming.destroyed || incoming.readableLength !== length) return undefined;
  const bytes: unknown = incoming.read();
  // Node serves the next request of the connection only when this one has been read to its end.
  incoming.resume();
  return bytes instanceof Buffer ? bytes : undefined;
};

/** The body, if all of it arrives soon. Otherwise none of it is consumed. */
export const takeBody = async (incoming: IncomingMessage, length: number): Promise<Buffer | undefined> => {
  // Node is still reading what arrived with the head.
  await new Promise((resolve) => process.nextTick(resolve));
  if (incoming.readableLength < length) await arrival(incoming, length);
  return takeWhole(incoming, length);
};

/** Gives back a body that was taken. The adapter between Node and Hono looks for it under this name. */
export const giveBack = (incoming: IncomingMessage, rawBody: Buffer): void => {
  Object.assign(incoming, { rawBody });
};
