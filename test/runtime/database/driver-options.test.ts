/** What the driver would do on its own, if the address of the server or the environment could ask it to. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Connection } from "../../../runtime/database/postgres/connection.ts";
import { openConnection } from "../../../runtime/database/postgres/connection.ts";
import { Listener } from "../../../runtime/database/postgres/listener.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { SOON } from "../../support/soon.ts";
import { wireTo } from "../../support/wire.ts";

const options = {
  idle_timeout: "0.1",
  max_lifetime: "0.1",
  fetch_types: "true",
  backoff: "1",
  keep_alive: "1",
  debug: "true",
};

test.each(["the address", "the environment"])(
  "a transaction keeps its connection for as long as it lasts, whatever %s asks the driver for",
  async (where) => {
    const url = new URL(await freshPostgresUrl(onTestFinished));
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [name, value] of Object.entries(options)) {
      if (where === "the address") url.searchParams.set(name, value);
      else vi.stubEnv(`PG${name.toUpperCase()}`, value);
    }
    const database = await openPostgres(url.href, 2);
    onTestFinished(() => database.close());
    const pid = "select pg_backend_pid()";
    const [[before], [after]] = await database.transaction(async (session) => {
      const first = await session.rows(pid);
      await sleep(600);
      return [first[0] ?? [], (await session.rows(pid))[0] ?? []];
    });
    expect(after).toBe(before);
    const idle = await database.rows(pid);
    await sleep(600);
    expect(await database.rows(pid)).toEqual(idle);
  },
);

test("the driver asks for no types: lists come as PostgreSQL prints them, where nobody may read what types there are", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const admin = await openPostgres(url.href, 1);
  onTestFinished(() => admin.close());
  const role = `typeless_${url.pathname.slice(-8)}`;
  await admin.script(`create role ${role} login password 'none'; revoke select on pg_catalog.pg_type from public`);
  onTestFinished(async () => void (await admin.script(`drop role ${role}`)));
  [url.username, url.password] = [role, "none"];
  const database = await openPostgres(url.href, 1);
  await expect(database.rows("select typname from pg_type")).rejects.toThrow("permission denied");
  expect(await database.rows("select array[1, 2]")).toEqual([["{1,2}"]]);
  await database.close();
});

test("of several servers in an address, those that take no connection are passed over", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const closed = await freePort();
  const hosts = [`127.0.0.1:${closed}`, `${url.hostname}:${url.port}`].join(",");
  const database = await openPostgres(url.href.replace(url.host, hosts), 2);
  onTestFinished(() => database.close());
  expect(await Promise.all([database.rows("select 1"), database.transaction((s) => s.rows("select 2"))])).toEqual([
    [[1]],
    [[2]],
  ]);
});

test("a connection that listens is found out to be silent, opened again, and its listeners are told", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const sender = await openPostgres(url.href, 1);
  const wire = await wireTo(url);
  url.port = String(wire.port);
  const opened: Connection[] = [];
  const listener = new Listener({
    async open(events) {
      const connection = await openConnection({ url: url.href, patience: 500 }, {}, events);
      opened.push(connection);
      return connection;
    },
    notify: (channel) => sender.rows("select pg_notify($1, '')", [channel]),
    heartbeat: 200,
  });
  onTestFinished(async () => {
    await Promise.all([listener.close(), sender.close()]);
    await wire.cut();
  });
  const received: (string | undefined)[] = [];
  await listener.listen("news", (payload) => void received.push(payload));
  const send = (text: string) => sender.rows("select pg_notify('news', $1)", [text]);
  // On a busy machine a connection may be given up that is not silent: what is sent meanwhile does not arrive.
  const sendUntilReceived = (text: string) =>
    expect.poll(async () => (await send(text), received), SOON).toContain(text);
  await sendUntilReceived("first");

  wire.swallow();
  await send("missed");
  await expect.poll(() => opened.every(({ isLost }) => isLost), SOON).toBe(true);
  const before = received.length;
  await wire.cut();
  await wire.mend();
  await expect.poll(() => received.slice(before), SOON).toContain(undefined);
  await sendUntilReceived("second");
  expect(received).not.toContain("missed");
});
