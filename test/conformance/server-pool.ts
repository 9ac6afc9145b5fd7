/**
 * The servers that recordings are replayed against, for a whole test run. Starting one costs more than replaying most
 * areas, so the files of the areas borrow them, one file at a time each. They start when the first file asks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { listenOnFreePort } from "../support/listen.ts";
import type { Mode } from "./scenario.ts";
import { prepareCorpus, type Served, serveCopy } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `POST /<mode>` borrows a server, `DELETE /<mode>` gives back the one whose address is the body. */
    corpusServers: string;
  }
}

class Pool {
  #started = 0;
  readonly #free: Served[] = [];
  readonly #waiting: ((served: Served) => void)[] = [];
  readonly #start: () => Promise<Served>;
  readonly #most: number;

  /** At most `most` servers: to start one more would take longer than to wait for one. */
  constructor(most: number, start: () => Promise<Served>) {
    this.#most = most;
    this.#start = start;
  }

  async borrow(): Promise<Served> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#started === this.#most) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#started += 1;
    return this.#start();
  }

  giveBack(served: Served): void {
    const next = this.#waiting.shift();
    if (next) next(served);
    else this.#free.push(served);
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** Called by vitest before the first test file; returns what to do after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends: (() => unknown)[] = [];
  const atEnd = (work: () => unknown): void => {
    ends.push(work);
  };
  let prepared: ReturnType<typeof prepareCorpus> | undefined;
  const pool = (mode: Mode, most: number): Pool =>
    new Pool(most, async () => serveCopy(await (prepared ??= prepareCorpus(atEnd)), mode, atEnd));
  const pools = { default: pool("default", 2), ratelimit: pool("ratelimit", 1), entity: pool("entity", 1) };
  const isMode = (name: string): name is Mode => Object.hasOwn(pools, name);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mode = request.url?.slice(1) ?? "";
    if (!isMode(mode)) throw new Error(`There is no mode "${mode}"`);
    if (request.method === "POST") {
      response.end(JSON.stringify(await pools[mode].borrow()));
    } else {
      const served: Served = JSON.parse(await bodyOf(request));
      pools[mode].giveBack(served);
      response.end();
    }
  };
  const broker = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  project.provide("corpusServers", await listenOnFreePort(broker));
  return async () => {
    broker.close();
    for (const end of ends.toReversed()) await end();
  };
}
