/** What a load balancer is told. */
import { test, type TestContext } from "vitest";
import application from "../../generated/index.ts";
import { applyPermissions, planPermissions } from "../../runtime/accounts/roles/permission-plan.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { ServiceUnavailableError } from "../../runtime/base/errors.ts";
import { createLogger, type Logger } from "../../runtime/base/log.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { createReadiness } from "../../runtime/http/frame/readiness.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { testServices } from "../support/services.ts";
import { SOON } from "../support/soon.ts";
import { wireTo } from "../support/wire.ts";

const example = async ({ onTestFinished }: TestContext, log?: Logger) => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const direct = await openPostgres(url.href, 1);
  onTestFinished(() => direct.close());
  await migrate(direct, "generated/migrations");
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 2, { statementSeconds: 1 });
  onTestFinished(() => database.close());
  onTestFinished(between.cut);
  const services = await testServices(application, { database, ...(log ? { log } : {}) });
  await applyPermissions(
    database,
    services.auth.roles,
    planPermissions({ public: ["api::article.article.find"] }, services.auth.roles.all(), services.actions),
  );
  const app = createHonoApp(services, application);
  const status = async (path: string): Promise<number> => (await app.request(path)).status;
  return { services, direct, between, app, status };
};

test.concurrent("a server is ready while its database answers and knows its migrations", async (context) => {
  const { expect } = context;
  const { direct, between, app, status } = await example(context);
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

test.concurrent("a server is ready only where it can read and write its tables as they are expected", async (context) => {
  const { expect } = context;
  const { direct, status } = await example(context);
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

test.concurrent("a role that may not write a table of links makes a server not ready", async ({
  expect,
  onTestFinished,
}) => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const admin = await openPostgres(url.href, 1);
  onTestFinished(() => admin.close());
  await migrate(admin, "generated/migrations");
  const role = `limited_${url.pathname.slice(-8)}`;
  await admin.script(`
    create role ${role} login password 'limited';
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage on all sequences in schema public to ${role}`);
  onTestFinished(async () => void (await admin.script(`drop owned by ${role}; drop role ${role}`)));
  [url.username, url.password] = [role, "limited"];
  const database = await openPostgres(url.href, 2);
  const services = await testServices(application, { database });
  const app = createHonoApp(services, application);
  const status = async (): Promise<number> => (await app.request("/_health/ready")).status;
  expect(await status()).toBe(204);
  for (const table of ["articles_tags", "articles_gallery", "rate_limits"]) {
    await admin.script(`revoke insert on ${table} from ${role}`);
    await expect.poll(status, SOON).toBe(503);
    await admin.script(`grant insert on ${table} to ${role}`);
    await expect.poll(status, SOON).toBe(204);
  }
  await database.close();
});

test.concurrent("an outage is logged once when it begins and once when it is over", async (context) => {
  const { expect } = context;
  const lines: { readonly level: number; readonly msg: string; readonly requests?: number }[] = [];
  const log = createLogger(
    { level: "info" },
    { write: (line: string) => void (line.includes(" 503") && lines.push(JSON.parse(line))) },
  );
  const { between, app, status } = await example(context, log);
  await between.cut();
  for (let request = 0; request < 10; request += 1) expect(await status("/_health/ready")).toBe(503);
  const query = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"query":"{ articles { data { id } } }"}',
  };
  expect((await app.request("/graphql", query)).status).toBe(503);
  await between.mend();
  await expect.poll(() => lines.length, SOON).toBe(2);
  await expect.poll(() => status("/_health/ready"), SOON).toBe(204);
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, msg: "the database is lost: requests are answered 503" }),
    expect.objectContaining({
      level: 30,
      msg: expect.stringMatching(/^the database is back after \d+ s, 11 requests/),
    }),
  ]);
  const shown = (await blocksOf("run/operations.md")).find(({ language }) => language === "text")?.text ?? "";
  expect(shown).toContain('"msg":"the database is lost: requests are answered 503"');
  expect(shown).toMatch(/"msg":"the database is back after \d+ s, \d+ requests answered 503"/);
});

test.concurrent("a server that is about to stop is not ready", async ({ expect }) => {
  const services = await testServices();
  const app = createHonoApp(services, application);
  services.readiness.drain();
  const answer = await app.request("/_health/ready");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await app.request("/_health")).status).toBe(204);
});

test.concurrent("a check that takes long is answered with the result before it, until it has ended", async ({
  expect,
}) => {
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
