/** Small bodies of requests that are looked up in the response cache. */
import type { IncomingMessage } from "node:http";

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
