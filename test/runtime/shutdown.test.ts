/** A server that is told to end takes no answer from anybody. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Hono } from "hono";
import { expect, test } from "vitest";
import type { AppEnv } from "../../runtime/http/context.ts";
import { listen } from "../../runtime/http/listen.ts";
import { deferred } from "../support/deferred.ts";
import { freePort } from "../support/free-port.ts";

/**
 * A server that takes `milliseconds` for each answer; `asked` is called when it begins. Nobody else gets its port when it
 * has ended, as may happen to one that the system has chosen.
 */
const serve = async (milliseconds: number, shutdownSeconds = 10, asked = () => {}) => {
  const app = new Hono<AppEnv>();
  app.get("/", async (c) => {
    asked();
    await wait(milliseconds);
    return c.text("answer");
  });
  return listen(app, { host: "127.0.0.1", port: await freePort(), shutdownSeconds });
};

/** What becomes of one request: the answer's `connection` header, or the code of what went wrong. */
const ask = (agent: Agent, port: number): Promise<string> =>
  new Promise((resolve) => {
    const sent = request({ agent, host: "127.0.0.1", port }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.headers.connection ?? ""));
      response.on("error", (error) => resolve(error.message));
    });
    sent.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    sent.end();
  });

/** Asks again and again on one connection, with a moment between, until its last answer or a fault; the last two. */
const askOn = async (port: number, pause: number, answered: () => void): Promise<string[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: string[] = [];
  while (seen.length < 1000 && (seen.at(-1) ?? "keep-alive") === "keep-alive") {
    seen.push(await ask(agent, port));
    answered();
    await wait(pause);
  }
  agent.destroy();
  return seen.slice(-2);
};

test.each([0, 100])(
  "clients that pause %d ms learn from an answer that the server ends, and lose none",
  async (pause) => {
    const { port, close } = await serve(20, 60);
    const first = Array.from({ length: 8 }, () => deferred());
    const clients = first.map(({ resolve }) => askOn(port, pause, resolve));
    await Promise.all(first.map(({ promise }) => promise));
    await wait(Math.random() * 100);
    const closed = close();
    for (const seen of await Promise.all(clients)) expect(seen).toEqual(["keep-alive", "close"]);
    await closed;
    expect(await ask(new Agent(), port)).toBe("ECONNREFUSED");
  },
);

/** Keeps this process, and so the server, from doing anything. */
const standStill = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test("a server that stood still while it ends closes no connection whose client goes on", async () => {
  const { port, close } = await serve(0, 60);
  const first = deferred();
  const client = askOn(port, 100, first.resolve);
  await first.promise;
  const closed = close();
  // The client pauses, and what it sends then comes late.
  await wait(20);
  standStill(800);
  expect(await client).toEqual(["keep-alive", "close"]);
  await closed;
});

test("connections that wait to be accepted when a server ends are answered", async () => {
  const { port, close } = await serve(0);
  const agent = new Agent();
  const answers = Array.from({ length: 100 }, () => ask(agent, port));
  const first = connect(port, "127.0.0.1");
  await once(first, "connect");
  first.destroy();
  await close();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["close"]));
});

test("connections on which nothing is asked do not hold up the end", async () => {
  const { port, close } = await serve(0);
  const agent = new Agent({ keepAlive: true });
  expect(await ask(agent, port)).toBe("keep-alive");
  const silent = connect(port, "127.0.0.1");
  await once(silent, "connect");
  await wait(50);
  const ended = new Promise((resolve) => {
    silent.on("close", resolve);
  });
  await close();
  await ended;
  agent.destroy();
});

test("what runs for longer than the grace is cut off", async () => {
  const { promise: asked, resolve } = deferred();
  const { port, close } = await serve(600_000, 0.2, resolve);
  const answer = ask(new Agent(), port);
  await asked;
  await close();
  expect(await answer).toBe("ECONNRESET");
});
