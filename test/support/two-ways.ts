/** An application behind two servers, one of which answers simple requests without Hono. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import example from "../../generated/index.ts";
import type { Application } from "../../runtime/app/application.ts";
import { directly } from "../../runtime/app/server.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { type Handler, listen } from "../../runtime/http/listen.ts";
import { exampleApp, exampleDatabase } from "./example-app.ts";

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

/** The same application behind two servers, one of which has the short way. */
export const twoServers = async (config: ConfigInput = {}, application: Application = example) => {
  const database = await exampleDatabase(onTestFinished);
  const whole = await exampleApp(onTestFinished, database, config, application);
  await whole.allowPublic(...READS);
  const { app, services } = whole;
  const options = { ...services.config.server, host: "127.0.0.1", port: 0, shutdownSeconds: 1 };
  const fetch: Handler["fetch"] = (request, env) => app.fetch(request, env);
  const direct = directly(services, app);
  let taken = 0;
  let passed = 0;
  const long = await listen({ fetch }, options);
  const short = await listen(
    {
      fetch,
      direct(incoming, outgoing, pass) {
        const isTaken = direct(incoming, outgoing, (...request) => {
          passed += 1;
          pass(...request);
        });
        if (isTaken) taken += 1;
        return isTaken;
      },
    },
    options,
  );
  onTestFinished(async () => void (await Promise.all([long.close(), short.close()])));
  return {
    ...whole,
    /** How many requests the short way took. */
    taken: () => taken,
    /** How many of them it answered itself, instead of passing them on after all. */
    answered: () => taken - passed,
    async bothAnswer(head: string, body?: string, isSplit?: boolean): Promise<string> {
      const [one, other] = await Promise.all([
        ask(long.port, head, body, isSplit),
        ask(short.port, head, body, isSplit),
      ]);
      expect(other, `${head}${body}`).toBe(one);
      return one;
    },
    async isTaken(head: string, body?: string): Promise<boolean> {
      const before = taken;
      await ask(short.port, head, body);
      return taken > before;
    },
  };
};
