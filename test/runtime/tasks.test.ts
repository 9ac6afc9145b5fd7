/** What `app.ts` has beside its routes: tasks, services of its own, health checks. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, test, type TestContext, vi } from "vitest";
import { startServer } from "../../runtime/app/start.ts";
import { plannedTasks, runTask } from "../../runtime/app/tasks.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { configSchema } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import type { App } from "../../runtime/graphql/extension/app.ts";
import { freshDatabase, freshPostgresUrl } from "../support/database.ts";
import { applicationOf, emptyDatabase, freePort, secrets, testServices } from "../support/services.ts";
import { SOON } from "../support/soon.ts";

declare module "../../runtime/documents/hooks.ts" {
  interface OwnServices {
    greeting?: string;
  }
}

/** No migration is pending where there is none. */
const migrations = await mkdtemp(path.join(tmpdir(), "galley-"));
afterAll(() => rm(migrations, { recursive: true }));

const start = async (app: App, database: Database = emptyDatabase()) => {
  const config = configSchema.parse({ server: { port: await freePort(), host: "127.0.0.1", shutdownSeconds: 1 } });
  const log = createLogger({ ...config.logger, level: "silent" });
  return startServer({ config, database, application: applicationOf({ app }), secrets, log, migrations });
};

test.concurrent("of two servers of one database one runs the tasks, and the other when that one has ended", async ({
  expect,
  onTestFinished,
}) => {
  const url = await freshPostgresUrl(onTestFinished);
  const runs: string[] = [];
  const serve = async (name: string) => {
    const database = await openPostgres(url, 2);
    const every = { schedule: "* * * * * *", run: () => void runs.push(name) };
    const server = await start({ tasks: { every } }, database);
    return {
      close: async () => {
        await server.close();
        await database.close();
      },
    };
  };
  const [first, second] = [await serve("first"), await serve("second")];
  onTestFinished(() => second.close());
  await vi.waitUntil(() => runs.length >= 3, SOON);
  const leader = runs[0];
  expect(new Set(runs)).toEqual(new Set([leader]));
  if (leader === "second") return;
  await first.close();
  await vi.waitUntil(() => runs.at(-1) === "second", SOON);
});

test.concurrent("whoever has lost the lock runs nothing any more, even before it notices", async ({
  expect,
  onTestFinished,
}) => {
  const url = await freshPostgresUrl(onTestFinished);
  const database = await openPostgres(url, 2);
  onTestFinished(() => database.close());
  let runs = 0;
  const server = await start({ tasks: { every: { schedule: "* * * * * *", run: () => void (runs += 1) } } }, database);
  onTestFinished(() => server.close());
  await vi.waitUntil(() => runs > 0, SOON);
  const other = await openPostgres(url, 1);
  onTestFinished(() => other.close());
  await other.exclusively(async (session) => {
    const locks =
      "pg_locks where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())";
    const key = "(select (classid::bigint << 32) | objid::bigint from task_lock)";
    await session.script(`create temp table task_lock as select classid, objid, pid from ${locks} and granted`);
    // Between two runs, so that none of them is under way.
    const before = runs;
    await vi.waitUntil(() => runs > before, { ...SOON, interval: 5 });
    await session.rows("select pg_terminate_backend(pid) from task_lock");
    await session.rows(`select pg_advisory_lock(${key})`);
    const lost = runs;
    await session.rows("select pg_sleep(2.5)");
    expect(runs).toBe(lost);
    await session.rows(`select pg_advisory_unlock(${key})`);
    await vi.waitUntil(() => runs > lost, SOON);
  });
});

test.concurrent("a task runs again after it has failed, is listed with its next time, and runs when it is asked for", async ({
  expect,
}) => {
  let runs = 0;
  const tasks: App["tasks"] = {
    failing: {
      schedule: "* * * * * *",
      run() {
        runs += 1;
        throw new Error("no");
      },
    },
    yearly: { schedule: "0 3 1 1 *", timeZone: "Europe/Berlin", run: ({ services }) => void services.log.info("year") },
  };
  const server = await start({ tasks });
  await vi.waitUntil(() => runs >= 2, SOON);
  await server.close();
  const application = applicationOf({ app: { tasks } });
  const planned = await plannedTasks(application);
  expect(planned.map(({ name }) => name)).toEqual(["failing", "yearly"]);
  expect(planned[1]?.next?.toISOString()).toMatch(/-01-01T02:00:00.000Z$/);
  const services = await testServices();
  await runTask(application, services, "yearly");
  await expect(runTask(application, services, "failing")).rejects.toThrow("no");
  await expect(runTask(application, services, "yearli")).rejects.toThrow('no task "yearli". Did you mean "yearly"?');
});

test.concurrent.for(["pglite", "postgres"] as const)(
  "a task that never ends keeps nobody from replacing and closing a server, on %s",
  async (kind, { expect, onTestFinished }) => {
    const database = await freshDatabase(kind, onTestFinished);
    const runs: string[] = [];
    let failures = 0;
    const stuck = (name: string): App => ({
      bootstrap() {
        if (name === "second" && (failures += 1) === 1) throw new Error("not yet");
      },
      destroy: () => void runs.push(`${name} ends`),
      tasks: {
        stuck: {
          schedule: "* * * * * *",
          async run() {
            runs.push(name);
            await new Promise(() => {});
          },
        },
      },
    });
    const server = await start(stuck("first"), database);
    await vi.waitUntil(() => runs.includes("first"), SOON);
    const next = { application: applicationOf({ app: stuck("second") }), config: server.services.config };
    await expect(server.replace(next)).rejects.toThrow("not yet");
    await server.replace(next);
    await vi.waitUntil(() => runs.includes("second"), SOON);
    await server.close();
    expect(runs.toSorted()).toEqual(["first", "first ends", "second", "second ends"]);
  },
);

test.concurrent("a schedule that is none keeps the server from starting", async ({ expect }) => {
  let isBegun = false;
  const bootstrap = () => void (isBegun = true);
  const wrong = start({ bootstrap, tasks: { wrong: { schedule: "at noon", run: () => {} } } });
  await expect(wrong).rejects.toThrow('the task "wrong" of app.ts has no schedule');
  expect(isBegun).toBe(false);
});

test.concurrent("services of one's own are made first, and reach what runs later", async ({ expect }) => {
  const seen: unknown[] = [];
  const server = await start({
    services: async ({ services }) => ({ greeting: `hello from ${services.config.rest.prefix}` }),
    bootstrap: ({ services }) => void seen.push(services.own.greeting),
  });
  expect(seen).toEqual(["hello from /api"]);
  expect(server.services.own.greeting).toBe("hello from /api");
  await server.close();
});

const askWhetherReady = async ({ onTestFinished }: TestContext, search: () => void) => {
  const { port, close } = await start({ health: { search } });
  onTestFinished(close);
  const answer = await fetch(`http://127.0.0.1:${port}/_health/ready`);
  return [answer.status, await answer.text()] as const;
};

test.concurrent("a health check that fails says by its name that the server is not ready", async (context) => {
  const { expect } = context;
  expect((await askWhetherReady(context, () => {}))[0]).toBe(204);
  const [status, text] = await askWhetherReady(context, () => {
    throw new Error("secret");
  });
  expect(status).toBe(503);
  expect(text).toContain('The check \\"search\\" failed');
  expect(text).not.toContain("secret");
});
