/** Sends requests over a few keep-alive connections for a while. */
import { Agent, request as send } from "node:http";

const CONNECTIONS = 8;

type Headers = Readonly<Record<string, string>>;

/** One request of a load. */
export interface Call {
  readonly path: string;
  /** GET by default. */
  readonly method?: string;
  readonly body?: object;
}

/** The target host; this machine by default. */
export interface Target {
  readonly host?: string;
  readonly port: number;
  /** Sent with every request. */
  readonly headers?: Headers;
  /** The number of concurrent requests. */
  readonly connections?: number;
}

const fetchText = (
  agent: Agent,
  { host = "127.0.0.1", port, headers = {} }: Target,
  { path, method = "GET", body }: Call,
) =>
  new Promise<string>((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const content =
      text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const options = { agent, host, port, path, method, headers: { ...headers, ...content } };
    const outgoing = send(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const answer = Buffer.concat(chunks).toString();
        if ([200, 201, 304].includes(response.statusCode ?? 0)) resolve(answer);
        else reject(new Error(`${path}: ${response.statusCode} ${answer.slice(0, 500)}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });

/** One answer, parsed. */
export const fetchJson = async (target: Target, call: Call): Promise<unknown> => {
  const agent = new Agent();
  const text = await fetchText(agent, target, call);
  agent.destroy();
  return JSON.parse(text);
};

export interface Loaded {
  readonly requests: number;
  readonly seconds: number;
}

/** `next` returns the next request. */
export const load = async (target: Target, next: () => Call, seconds: number): Promise<Loaded> => {
  const { connections = CONNECTIONS } = target;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const start = performance.now();
  let requests = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) {
      await fetchText(agent, target, next());
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return { requests, seconds: (performance.now() - start) / 1000 };
};
