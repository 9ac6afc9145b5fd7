import type { Readable } from "node:stream";

/**
 * The same bytes as a web stream, for the body of a response whose announced length is `length`. Cancelling it also
 * closes the source.
 *
 * A file may be replaced after its length was looked up. The client would read excess bytes as the beginning of the
 * next answer on its connection, and wait for missing ones. So the stream fails instead, before it emits an excess
 * byte, which also closes the connection.
 */
export const webStream = (source: Readable, length: number): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array, undefined> = source[Symbol.asyncIterator]();
  let left = length;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done = false, value } = await chunks.next();
      left -= value?.length ?? 0;
      if (left < 0 || (done && left > 0)) {
        source.destroy();
        throw new Error("The file was replaced while it was sent");
      }
      if (value) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel() {
      source.destroy();
    },
  });
};
