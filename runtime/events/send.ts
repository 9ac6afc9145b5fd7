/** Sends one request to a receiver. */
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { EventsConfig, WebhookConfig } from "../config/events.ts";
import { type AddressGuard, addressGuard } from "./addresses.ts";
import { standardHeaders } from "./signature.ts";

/** Most bytes of a response to read, so that the connection can be reused. */
const ANSWER = 16_384;

/** The message for a receiver. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  /** The time for the signature and for dates of the receiver, in milliseconds. */
  now(): number;
}

/** The outcome of an attempt. */
export interface Outcome {
  readonly isDone: boolean;
  /** The status of the response. */
  readonly status?: number | undefined;
  /** Why it failed; contains nothing from headers or bodies. */
  readonly error?: string | undefined;
  /** Seconds to wait, from the receiver's `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Whether the receiver says that it is permanently gone. */
  readonly isGone?: boolean;
}

/** Sends messages to webhooks. */
export interface Sender {
  send(webhook: WebhookConfig, message: Message): Promise<Outcome>;
  close(): void;
}

const MOST_RETRY_AFTER = 86_400;

const retryAfterOf = (header: string | undefined, { now }: Message): number | undefined => {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MOST_RETRY_AFTER) : undefined;
};

const outcomeOf = (status: number, retryAfter: string | undefined, message: Message): Outcome => {
  const isDone = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  return {
    isDone,
    status,
    ...(isDone ? {} : { error: isRedirect ? `${status}: redirects are not followed` : `answered ${status}` }),
    isGone: status === 410,
    retryAfter: status === 429 || status === 503 ? retryAfterOf(retryAfter, message) : undefined,
  };
};

const headersOf = (config: EventsConfig, webhook: WebhookConfig, message: Message): Record<string, string> => ({
  ...config.headers,
  ...webhook.headers,
  "X-Strapi-Event": message.event,
  "Content-Type": "application/json",
  "Content-Length": String(Buffer.byteLength(message.body)),
  ...standardHeaders(webhook.secret, message),
});

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

interface Connecting {
  readonly config: EventsConfig;
  readonly agents: Agents;
  readonly guard: AddressGuard;
}

/** Resolves with the status as soon as the answer begins, and reads at most {@link ANSWER} bytes of it. */
const post = ({ config, agents, guard }: Connecting, webhook: WebhookConfig, message: Message): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const url = new URL(webhook.url);
    guard.demand(url.hostname);
    const isPlain = url.protocol === "http:";
    const signal = AbortSignal.timeout(config.timeoutSeconds * 1000);
    const options = {
      method: "POST",
      headers: headersOf(config, webhook, message),
      signal,
      lookup: guard.lookup,
      agent: isPlain ? agents.http : agents.https,
    };
    const sent = (isPlain ? httpRequest : httpsRequest)(url, options, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER) answer.destroy();
      });
      answer.on("error", () => {});
      resolve(outcomeOf(answer.statusCode ?? 0, answer.headers["retry-after"], message));
    });
    sent.on("error", (error) => reject(signal.aborted ? new Error("did not answer in time") : error));
    sent.end(message.body);
  });

/** The message of an error without the address, which may contain a password. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "failed";
  const [inner] = error instanceof AggregateError ? error.errors : [];
  return (inner instanceof Error ? inner.message : error.message).slice(0, 300);
};

export const createSender = (config: EventsConfig): Sender => {
  const options = { keepAlive: true, maxSockets: 32, maxFreeSockets: 2, timeout: 30_000 };
  const agents: Agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const connecting = { config, agents, guard: addressGuard(config.allowAddresses) };
  return {
    async send(webhook, message) {
      try {
        return await post(connecting, webhook, message);
      } catch (error) {
        return { isDone: false, error: reasonOf(error) };
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};
