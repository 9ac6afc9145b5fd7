/** One listener's events, until it leaves, does not read, or loses the permission. */
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Asked, Format, ShownEvent } from "../documents/event-stream.ts";

/** Most bytes that may wait for a listener that does not read. Beyond that it is disconnected, and may reconnect. */
const BACKLOG = 262_144;

/** A listener, notified of events as they are committed. */
export interface Listener extends Pick<Asked, "wanted" | "caller"> {
  /** Receives an event; listeners with the same rights get the same object. */
  push(event: ShownEvent): void;
  /** The events since the last one that the listener knew are no longer available: it has to read everything again. */
  reset(): void;
  /** A heartbeat: no event for a while. */
  beat(): void;
  /** Resolves when the listener has room for more. */
  hasRoom(): Promise<unknown>;
  /** The stream has ended. */
  end(): void;
}

const nothing = (): void => {};

/** @param listen registers the listener, and returns the function that removes it */
export const listenerStream = <Chunk>(
  { wanted, caller, cut }: Asked,
  { event, reset, beat, start, size }: Format<Chunk>,
  listen: (listener: Listener) => () => void,
): ReadableStream<Chunk> => {
  let [stop, makeRoom] = [nothing, nothing];
  return new ReadableStream<Chunk>(
    {
      start(controller) {
        const write = (chunk: Chunk | undefined): void => {
          if (chunk === undefined) return;
          if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(chunk);
          stop();
          if (cut) cut();
          else controller.error(new ServiceUnavailableError("This listener does not read what it is sent"));
        };
        const hasRoom = async (): Promise<void> => {
          while ((controller.desiredSize ?? BACKLOG) < BACKLOG / 2) {
            await new Promise<void>((done) => (makeRoom = done));
          }
        };
        const end = (): void => controller.close();
        const push = (shown: ShownEvent): void => write(event(shown));
        stop = listen({ wanted, caller, push, reset: () => write(reset), beat: () => write(beat), hasRoom, end });
        write(start);
      },
      pull: () => makeRoom(),
      cancel() {
        stop();
        makeRoom();
      },
    },
    { highWaterMark: BACKLOG, size },
  );
};
