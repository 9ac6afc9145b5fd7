/** An application behind two servers, one of which has a response cache. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import example from "../../generated/index.ts";
import type { Application } from "../../runtime/app/application.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { listen } from "../../runtime/http/listen.ts";
import { freshDatabase } from "./database.ts";
import { exampleApp } from "./example-app.ts";
import { served } from "./served-app.ts";

/**
 * A request as it goes over the wire, in one piece or with the body behind the head; the answer as it comes, without what
 * tells the time.
 */
const ask = async (port: number, head: string, body = "", isSplit = false): Promise<string> => {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const start = `${head}Connection: close\r\n\r\n`;
  socket.write(isSplit ? start : `${start}${body}`);
  if (isSplit) {
    await setTimeout(20);
    socket.write(body);
  }
  await once(socket, "close");
  const answer = Buffer.concat(chunks).toString("latin1");
  const end = answer.indexOf("\r\n\r\n");
  const [status, ...headers] = answer.slice(0, end).split("\r\n");
  const lasting = headers.filter((line) => !/^date:/i.test(line)).toSorted();
  return [status, ...lasting, "", answer.slice(end + 4)].join("\n");
};

const READS = ["article", "author", "tag", "category"].flatMap((name) => [
  `api::${name}.${name}.find`,
  `api::${name}.${name}.findOne`,
]);

/** Hono tells no length for HEAD, and writes the names of headers in lower case. */
const withoutLength = (answer: string): string =>
  answer
    .toLowerCase()
    .split("\n")
    .filter((line) => !line.startsWith("content-length"))
    .toSorted()
    .join("\n");

/** The same application behind two servers: one that passes every request to Hono, and one with the response cache. */
export const cachedAndNot = async (config: ConfigInput = {}, application: Application = example) => {
  // On a server of PostgreSQL, what others commit makes everything out of date.
  const database = await freshDatabase("pglite", onTestFinished);
  await migrate(database, "generated/migrations");
  const whole = await exampleApp(onTestFinished, database, config, application);
  await whole.allowPublic(...READS);
  const { app, services } = whole;
  const options = { ...services.config.server, host: "127.0.0.1", port: 0, shutdownSeconds: 1 };
  const plain = await listen({ fetch: (request, env) => app.fetch(request, env) }, options);
  onTestFinished(plain.close);
  const { port } = await served(whole, onTestFinished);
  const hits = (): number => services.responseCache?.hits ?? 0;
  return {
    ...whole,
    hits,
    /** Asks both, the one with the cache three times; the answer, which has to be the same each time. */
    async bothAnswer(head: string, body?: string, isSplit?: boolean): Promise<string> {
      const comparable = head.startsWith("HEAD ") ? withoutLength : (answer: string): string => answer;
      const expected = await ask(plain.port, head, body, isSplit);
      for (let turn = 1; turn <= 3; turn += 1) {
        const answer = await ask(port, head, body, isSplit);
        expect(comparable(answer), `${head}${body}, turn ${turn}`).toBe(comparable(expected));
      }
      return expected;
    },
    /** Whether the same request is answered from the cache in the end. */
    async isCached(head: string): Promise<boolean> {
      const before = hits();
      for (let turn = 0; turn < 4; turn += 1) await ask(port, head);
      return hits() > before;
    },
  };
};
