/** An address that comes to mean another server while the first one goes on. */
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { deferred } from "../../support/deferred.ts";
import { startEmbedded } from "../../support/embedded-postgres.ts";
import { movableProxy } from "../../support/movable-proxy.ts";
import { SOON } from "../../support/soon.ts";

test("there is no state while connections lead to two servers, and then it is another one", async () => {
  const [before, after] = await Promise.all([startEmbedded(["fsync=off"]), startEmbedded(["fsync=off"])]);
  onTestFinished(async () => void (await Promise.all([before.stop(), after.stop()])));
  const proxy = await movableProxy(before.port, onTestFinished);
  const url = new URL(before.url);
  url.port = String(proxy.port);
  const database = await openPostgres(url.href, 4);
  const onlooker = await openPostgres(before.url, 1);
  onTestFinished(async () => void (await Promise.all([database.close(), onlooker.close()])));
  const state = async () => database.snapshot?.().catch(() => undefined);
  const port = async () => Number((await database.rows("select current_setting('port')"))[0]?.[0]);
  await expect.poll(state, SOON).toBeDefined();
  const known = await state();
  expect(await port()).toBe(before.port);

  proxy.moveTo(after.port);
  const [hasBegun, isOver] = [deferred(), deferred()];
  const transaction = database.transaction(() => {
    hasBegun.resolve();
    return isOver.promise;
  });
  await hasBegun.promise;
  expect(await port()).toBe(after.port);
  for (let turn = 0; turn < 5; turn += 1) expect(await state()).toBeUndefined();
  isOver.resolve();
  await transaction;
  await onlooker.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'galley' and pid <> pg_backend_pid()",
  );
  await expect.poll(state, SOON).toBeDefined();
  expect(await state()).not.toBe(known);
});
