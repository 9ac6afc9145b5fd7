import type { Readable } from "node:stream";

/** The same bytes as a web stream, for the body of a response. Cancelling it also closes the source. */
export const webStream = (source: Readable): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      source.destroy();
    },
  });
};
