/** Sends requests over a few kept-alive connections for a while. */
import { Agent, get } from "node:http";

export const CONNECTIONS = 8;

type Headers = Readonly<Record<string, string>>;

const fetchText = (agent: Agent, port: number, path: string, headers: Headers = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ agent, host: "127.0.0.1", port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path}: ${response.statusCode} ${text.slice(0, 500)}`));
      });
    }).on("error", reject);
  });

/** One answer, parsed. */
export const fetchJson = async (port: number, path: string): Promise<unknown> => {
  const agent = new Agent();
  const text = await fetchText(agent, port, path);
  agent.destroy();
  return JSON.parse(text);
};

export interface Loaded {
  readonly requests: number;
  readonly seconds: number;
}

/** `pathOf` names the path of the next request. */
export const load = async (
  port: number,
  pathOf: () => string,
  seconds: number,
  headers: Headers = {},
): Promise<Loaded> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const start = performance.now();
  let requests = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) {
      await fetchText(agent, port, pathOf(), headers);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return { requests, seconds: (performance.now() - start) / 1000 };
};
