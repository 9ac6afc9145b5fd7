/** Bodies that arrive together with the head of their request. */
import type { IncomingMessage } from "node:http";

/** Most bytes of such a body. */
const SMALL = 16_384;

/**
 * The length of the body that the head of a request announces; undefined where it announces none, or one that is long,
 * compressed or of unknown length.
 */
export const smallLength = ({ headers }: IncomingMessage): number | undefined => {
  const announced = headers["content-length"];
  if (announced === undefined || !/^\d{1,5}$/.test(announced)) return undefined;
  if (headers["transfer-encoding"] !== undefined || headers["content-encoding"] !== undefined) return undefined;
  const length = Number(announced);
  return length > 0 && length <= SMALL ? length : undefined;
};

/** The body, if all of it has arrived. Otherwise nothing is taken of it. */
export const takeBody = (incoming: IncomingMessage, length: number): Buffer | undefined => {
  if (incoming.destroyed || incoming.readableLength !== length) return undefined;
  const bytes: unknown = incoming.read();
  // Node serves the next request of the connection when this one has come to its end.
  incoming.resume();
  return bytes instanceof Buffer ? bytes : undefined;
};

/** Gives back a body that was taken. The adapter between Node and Hono looks for it under this name. */
export const giveBack = (incoming: IncomingMessage, rawBody: Buffer): void => {
  Object.assign(incoming, { rawBody });
};
