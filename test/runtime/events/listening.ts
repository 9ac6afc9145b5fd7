/** Listeners of the stream, as tests need them. */
import { onTestFinished, vi } from "vitest";
import { SOON } from "../../support/soon.ts";
import { type serve, tag } from "./world.ts";

interface Told {
  readonly id: string;
  readonly event: string;
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly status: string | null;
  readonly entry: Readonly<Record<string, unknown>> | null;
}

export interface Asked {
  /** A subscription, in place of the route. */
  readonly subscription?: string;
  /** Asks for it by GET. */
  readonly byGet?: boolean;
  readonly token?: string;
  readonly after?: string;
  readonly query?: string;
}

export const LISTEN = "plugin::events.stream.find";

/** Listens until the end of the test, or until it is closed. */
export const listenTo = async (port: number, { token, after, query = "", subscription, byGet }: Asked = {}) => {
  const leaving = new AbortController();
  const path = subscription === undefined ? `/api/events${query}` : "/graphql";
  const asked = byGet ? `?query=${encodeURIComponent(subscription ?? "")}` : "";
  const answer = await fetch(`http://127.0.0.1:${port}${path}${asked}`, {
    ...(subscription === undefined || byGet ? {} : { method: "POST", body: JSON.stringify({ query: subscription }) }),
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(after === undefined ? {} : { "last-event-id": after }),
    },
    signal: leaving.signal,
  });
  onTestFinished(() => leaving.abort());
  const told: Told[] = [];
  let [text, resets, beats, completes] = ["", 0, 0, 0];
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (message === ":") beats += 1;
        else if (message.startsWith("event: complete")) completes += 1;
        else if (message.startsWith("event: reset") || data?.includes("is not known any more")) resets += 1;
        else if (message.startsWith("event: next")) told.push(JSON.parse(data ?? "").data.contentEvents);
        else if (data !== undefined && data !== "") told.push(JSON.parse(data));
      }
    }
  };
  const ended = (answer.headers.get("content-type") ?? "").includes("event-stream") ? read() : Promise.resolve();
  ended.catch(() => {});
  return { answer, told, ended, leave: () => leaving.abort(), counts: () => ({ resets, beats, completes }) };
};

/** Resolves when a listener is told of all that was committed before. */
export const upToDate = async (
  { tags }: Pick<Awaited<ReturnType<typeof serve>>, "tags">,
  listener: { told: Told[] },
) => {
  const { documentId } = await tags.create({ data: tag() });
  await vi.waitUntil(() => listener.told.some((each) => each.documentId === documentId), SOON);
};

/** Writes until a stream has ended: what a process remembers of a caller is forgotten with a notification. */
export const endsWithWrites = async (
  { tags }: Pick<Awaited<ReturnType<typeof serve>>, "tags">,
  { ended }: { readonly ended: Promise<void> },
) => {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await vi.waitUntil(async () => {
    await tags.create({ data: tag() });
    return hasEnded;
  }, SOON);
};
