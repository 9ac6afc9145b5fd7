/** Deliveries where names and clocks are wrong. */
import dns from "node:dns";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { SOON } from "../../support/soon.ts";
import { deliveriesIn, eventsDatabase, receiver, serve, tag } from "./world.ts";

/**
 * Lets a name resolve to other addresses, one answer after the other, until the test ends. It changes Node's own
 * module, since another file in this process may have loaded what imports it.
 */
const resolveTo = (name: string, answers: { address: string; family: number }[][]): void => {
  type Done = (error: Error | null, addresses: readonly object[]) => void;
  const { lookup } = dns;
  const changed = (host: string, options: object, done: Done): void =>
    host === name ? done(null, answers.shift() ?? []) : Reflect.apply(lookup, dns, [host, options, done]);
  Reflect.set(dns, "lookup", changed);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Reflect.set(dns, "lookup", lookup);
    syncBuiltinESMExports();
  });
};

const database = await eventsDatabase();

/** Waits until a number of deliveries to a webhook have ended, and returns them. */
const endedOf = (consumer: string, count: number) =>
  vi.waitFor(async () => {
    const found = await deliveriesIn(database, { consumer });
    expect(found).toHaveLength(count);
    expect(found.filter(({ state }) => state === "pending")).toEqual([]);
    return found;
  }, SOON);

test("a name that resolves to another address than the one checked is not followed there", async () => {
  const outside = await receiver((response) => response.writeHead(204, { connection: "close" }).end(), "127.0.0.2");
  let connections = 0;
  const inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(outside.port, "127.0.0.1");
  await once(inside, "listening");
  onTestFinished(() => void inside.close());
  const [allowed, refused] = ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }));
  if (!allowed || !refused) throw new Error("there are two addresses");
  resolveTo("moving.example", [[allowed], [refused], [allowed, refused]]);
  const { tags } = await serve(database, {
    allowAddresses: ["127.0.0.2"],
    retrySeconds: [],
    webhooks: [{ name: "moving", url: `http://moving.example:${outside.port}/hook` }],
  });
  for (const count of [1, 2, 3]) {
    await tags.create({ data: tag() });
    await endedOf("moving", count);
  }
  const error = "moving.example (127.0.0.1) is a private address; events.allowAddresses may allow it";
  expect(await endedOf("moving", 3)).toMatchObject([
    { state: "parked", error },
    { state: "parked", error },
    { state: "done", status: 204 },
  ]);
  expect([outside.received.length, connections]).toEqual([1, 0]);
});

/** The time, whatever a test makes of `Date`. */
const real = (): number => performance.timeOrigin + performance.now();

test.each([-1, 1])("a process whose clock is off by %s hour signs and waits by that of the database", async (hours) => {
  const times: number[] = [];
  const { received, url } = await receiver((response, number) => {
    times.push(real());
    const later = new Date(real() + 3000).toUTCString();
    if (number === 1) response.writeHead(503, { "retry-after": later }).end();
    else response.writeHead(204).end();
  });
  const secret = `whsec_${Buffer.from("the key of this test").toString("base64")}`;
  const name = `clock${hours}`;
  const { tags, send, token } = await serve(database, { webhooks: [{ name, url, secret }] });
  const all = await token();
  vi.useFakeTimers({ toFake: ["Date"], now: real() + hours * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await tags.create({ data: tag() });
  expect(await endedOf(name, 1)).toMatchObject([{ state: "done", attempts: 2 }]);
  await send("POST", `/api/events/webhooks/${name}/test`, { token: all });
  vi.useRealTimers();
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(1900);
  expect(received).toHaveLength(3);
  for (const { body, headers } of received) {
    const sent = Object.entries(headers).map(([key, value]) => [key, String(value)]);
    expect(new Webhook(secret).verify(body, Object.fromEntries(sent))).toEqual(JSON.parse(body));
    expect(Math.abs(Date.parse(JSON.parse(body).createdAt) - Date.now())).toBeLessThan(120_000);
  }
});
