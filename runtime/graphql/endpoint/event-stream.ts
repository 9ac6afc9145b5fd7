/** Subscriptions as server-sent events: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md. */
const encoder = new TextEncoder();

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** Whether a client asks for server-sent events. */
export const takesEvents = (accept: string | undefined): boolean => accept?.includes("text/event-stream") === true;

/** Sends each text as an event, and a comment every `heartbeat` seconds, until the client disconnects. */
export const eventStreamOf = (texts: AsyncIterator<string>, heartbeat: number): Response => {
  let beats: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(":\n\n"));
      beats = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n\n"));
      }, heartbeat * 1000);
    },
    async pull(controller) {
      const { done, value } = await texts.next().catch((error: unknown) => {
        clearInterval(beats);
        throw error;
      });
      if (!done) return controller.enqueue(encoder.encode(`event: next\ndata: ${value}\n\n`));
      clearInterval(beats);
      controller.enqueue(encoder.encode("event: complete\ndata: \n\n"));
      controller.close();
    },
    async cancel() {
      clearInterval(beats);
      await texts.return?.();
    },
  });
  return new Response(body, { status: 200, headers: HEADERS });
};
