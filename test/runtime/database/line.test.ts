/** The connection on which the question about the state is asked again and again, without the driver. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import { openConnection } from "../../../runtime/database/postgres/connection.ts";
import { createLine, type Line } from "../../../runtime/database/postgres/line.ts";
import { message, messageReader } from "../../../runtime/database/postgres/messages.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { poolerTo } from "../../support/pooler.ts";
import { SOON } from "../../support/soon.ts";

const LONG = { silence: 60_000, lifetime: 600_000 };

const lineTo = (url: string, sql: string): Line => {
  const line = createLine((events) => openConnection({ url, patience: 5000 }, {}, events), sql, LONG);
  onTestFinished(() => line.close());
  return line;
};

/** The answer, when there is a connection to have it from. */
const first = async (line: Line) => {
  let answer: ReturnType<Line["ask"]>;
  await expect.poll(() => (answer = line.ask()), SOON).toBeDefined();
  return answer;
};

test("messages are read whole, however they arrive", () => {
  const sent = ["1", "D", "Z"].map((type, index) => message(type, Buffer.alloc(index * 3, type)));
  const bytes = Buffer.concat(sent);
  for (let size = 1; size <= bytes.length; size += 1) {
    const taken: string[] = [];
    const read = messageReader((type, body) => taken.push(`${type} ${body.toString()}`));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(taken).toEqual(["1 ", "D DDD", "Z ZZZZZZ"]);
  }
});

test("one statement is asked at a time, and each answer is from after its question", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const other = await openPostgres(url, 1);
  onTestFinished(() => other.close());
  await other.script("create table t (n int)");
  const line = lineTo(url, "select count(*)::text, null, 'ä''' from t");
  expect(await first(line)).toEqual(["0", null, "ä'"]);
  for (let count = 1; count <= 20; count += 1) {
    await other.script("insert into t values (1)");
    const answer = line.ask();
    expect(line.ask()).toBeUndefined();
    expect(await answer).toEqual([String(count), null, "ä'"]);
  }
});

test("a statement whose connection is lost fails, and another connection goes on", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const other = await openPostgres(url, 1);
  onTestFinished(() => other.close());
  const line = lineTo(
    url,
    "select pg_backend_pid()::text, pg_sleep(60 * (select count(*) from pg_class where relname = 'slow'))::text",
  );
  const [pid] = (await first(line)) ?? [];
  line.renew();
  const [renewed] = (await first(line)) ?? [];
  expect(renewed).not.toBe(pid);
  await other.script("create table slow ()");
  const failed = expect(line.ask()).rejects.toBeInstanceOf(ServiceUnavailableError);
  await expect
    .poll(
      () =>
        other.rows(
          "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
        ),
      SOON,
    )
    .toEqual([[true]]);
  await failed;
  expect(line.ask()).toBeUndefined();
  await other.script("drop table slow");
  expect((await first(line))?.[0]).not.toBe(renewed);
});

test("behind a pooler it is not used", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const pooler = await poolerTo(url, { keepsPrepared: true });
  onTestFinished(pooler.close);
  url.port = String(pooler.port);
  let opened = 0;
  let closed = 0;
  const line = createLine(
    async (events) => {
      const connection = await openConnection({ url: url.href, patience: 5000 }, {}, events);
      opened += 1;
      return {
        ...connection,
        isPooled: connection.isPooled,
        close: () => connection.close().finally(() => void (closed += 1)),
      };
    },
    "select 1::text",
    LONG,
  );
  expect(line.ask()).toBeUndefined();
  await expect.poll(() => closed, SOON).toBe(1);
  expect(line.ask()).toBeUndefined();
  await line.close();
  expect(opened).toBe(1);
});

test("the state changes with every commit, also after all connections were lost", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = await Promise.all([openPostgres(url, 2), openPostgres(url, 1)]);
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  await other.script("create table t (n int)");
  const state = () => database.state?.().catch(() => undefined);
  const connections = async () =>
    (
      await other.rows(
        "select count(*) from pg_stat_activity where datname = current_database() and query like 'select pg_current_snapshot()%pg_backend_pid()::text'",
      )
    ).flat()[0];
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(async () => (await state()) !== undefined && (await connections()), SOON).toBe("1");
    for (let count = 0; count < 20; count += 1) {
      const before = await state();
      await other.script("insert into t values (1)");
      expect(await state()).not.toBe(before);
    }
    await other.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  }
});
