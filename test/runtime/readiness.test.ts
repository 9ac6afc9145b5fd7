/** What a load balancer is told. */
import { expect, onTestFinished, test } from "vitest";
import application from "../../generated/index.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { ServiceUnavailableError } from "../../runtime/base/errors.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { createReadiness } from "../../runtime/http/frame/readiness.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { testServices } from "../support/services.ts";
import { SOON } from "../support/soon.ts";
import { wireTo } from "../support/wire.ts";

const example = async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const direct = await openPostgres(url.href, 1);
  onTestFinished(() => direct.close());
  await migrate(direct, "generated/migrations");
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 2, { statementSeconds: 1 });
  onTestFinished(() => database.close());
  onTestFinished(between.cut);
  const services = await testServices(application, { database });
  const app = createHonoApp(services, application);
  const status = async (path: string): Promise<number> => (await app.request(path)).status;
  return { services, direct, between, app, status };
};

test("a server is ready while its database answers and knows its migrations", async () => {
  const { direct, between, app, status } = await example();
  const ready = await app.request("/_health/ready");
  expect([ready.status, ready.headers.get("vary")]).toEqual([204, "Origin"]);

  await direct.rows("delete from galley_migrations");
  await expect.poll(() => status("/_health/ready")).toBe(503);
  const behind = await app.request("/_health/ready");
  expect(await behind.json()).toMatchObject({ error: { status: 503, message: "The database is behind the code" } });

  between.swallow();
  await expect
    .poll(async () => (await (await app.request("/_health/ready")).json()).error.message)
    .toMatch(/does not answer|not available|busy/);
  expect(await status("/_health")).toBe(204);
});

test("a server is ready only where it can read and write its tables as they are expected", async () => {
  const { direct, status } = await example();
  expect(await status("/_health/ready")).toBe(204);
  for (const [spoil, mend] of [
    ["alter table tags rename name to label", "alter table tags rename label to name"],
    [
      "alter database :name set default_transaction_read_only = on",
      "alter database :name reset default_transaction_read_only",
    ],
  ] as const) {
    const [[name] = []] = await direct.rows("select current_database()");
    await direct.script(spoil.replace(":name", String(name)));
    await direct.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await expect.poll(() => status("/_health/ready"), SOON).toBe(503);
    await direct.script(mend.replace(":name", String(name)));
    await direct.rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await expect.poll(() => status("/_health/ready"), SOON).toBe(204);
  }
});

test("a server that is about to stop is not ready", async () => {
  const services = await testServices();
  const app = createHonoApp(services, application);
  services.readiness.drain();
  const answer = await app.request("/_health/ready");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await app.request("/_health")).status).toBe(204);
});

test("a check that takes long is answered with the result before it, until it has ended", async () => {
  const answers: (() => void)[] = [];
  let isBad = false;
  const readiness = createReadiness(async () => {
    if (isBad) throw new ServiceUnavailableError("bad");
    await new Promise<void>((resolve) => void answers.push(resolve));
  });
  const first = readiness.check();
  answers[0]?.();
  await first;
  await expect.poll(async () => (await readiness.check(), answers.length), SOON).toBe(2);
  await readiness.check();
  expect(answers).toHaveLength(2);
  isBad = true;
  answers[1]?.();
  await expect.poll(() => readiness.check().catch(String), SOON).toContain("bad");
});
