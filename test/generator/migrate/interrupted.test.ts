/** `cms migrate` that is killed, and several at once. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { cms, cmsOutput, startCms } from "../../support/cms.ts";
import { bothDatabases, type DatabaseKind, freshPostgresUrl } from "../../support/database.ts";
import { SOON } from "../../support/soon.ts";

/** A project whose only migration runs `up`. */
const project = async (kind: DatabaseKind, up: string) => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-interrupted-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const url = kind === "postgres" ? await freshPostgresUrl(onTestFinished) : undefined;
  const env: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
  const file = await cmsOutput(root, ["migrate", "new", "slow"], env);
  const folder = path.dirname(path.join(root, file));
  writeFileSync(path.join(folder, "up.sql"), up);
  const config = configSchema.parse(url === undefined ? {} : { database: { url } });
  return {
    root,
    env,
    name: path.basename(folder),
    /** Rows of the last of some statements, when no command has the database. */
    async rows(...statements: readonly string[]) {
      const database = await openDatabase(config, root);
      try {
        for (const statement of statements.slice(0, -1)) await database.rows(statement);
        return await database.rows(statements.at(-1) ?? "");
      } finally {
        await database.close();
      }
    },
  };
};

const ROWS = 40_000;
/** Stands still half way, until the table that is named here is there. */
const slow = `create table half (n int, filler text);
insert into half select n, repeat('x', 100) from generate_series(1, ${ROWS}) as n;
select pg_sleep(600) where to_regclass('in_a_hurry') is null;
create table whole (n int);
`;

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

/** A server notices soon that a client was killed. */
const NOTICE =
  "do $$ begin execute format('alter database %I set client_connection_check_interval = 100', current_database()); end $$";

/** What to wait for until rows of the migration are on their way to the disk. */
const halfWay = async (kind: DatabaseKind, { root, rows }: Awaited<ReturnType<typeof project>>) => {
  if (kind === "postgres") {
    await rows(NOTICE);
    const asleep =
      "select count(*)::int from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    return async () => expect(await rows(asleep)).toEqual([[1]]);
  }
  await rows("select 1");
  const data = path.join(root, ".cms", "data", "base");
  const before = sizeOf(data);
  return () => expect(sizeOf(data)).toBeGreaterThan(before + 2_000_000);
};

test.each(bothDatabases)(
  "a migration that is killed half way leaves nothing, and the next run does the whole, on %s",
  async (kind) => {
    const own = await project(kind, slow);
    const { root, env, name, rows } = own;
    const isHalfWay = await halfWay(kind, own);
    const killed = startCms(root, ["migrate"], env);
    await vi.waitFor(isHalfWay, SOON);
    killed.child.kill("SIGKILL");
    expect((await killed.ended).code).toBe(null);
    const left = "select to_regclass('half')::text, (select count(*)::int from galley_migrations)";
    expect(await rows("create table in_a_hurry ()", left)).toEqual([[null, 0]]);

    const again = await cms(root, ["migrate"], env);
    expect(again.stderr).toBe("");
    expect(again.stdout).toBe(`apply ${name}\n1 applied\n`);
    expect(await rows("select count(*)::int, (select count(*)::int from whole) from half")).toEqual([[ROWS, 0]]);
  },
);

test.each(bothDatabases)("of several that run at once one applies, and the others wait for it, on %s", async (kind) => {
  const { root, env, name, rows } = await project(kind, "create table once (n int);\nselect pg_sleep(1);\n");
  const runs = await Promise.all([1, 2, 3].map(() => cms(root, ["migrate"], env)));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(runs.map(({ stdout }) => stdout).sort()).toEqual([
    `apply ${name}\n1 applied\n`,
    "nothing to apply: the database is up to date\n",
    "nothing to apply: the database is up to date\n",
  ]);
  expect(await rows("select count(*)::int from galley_migrations where finished_at is not null")).toEqual([[1]]);
});

test("a connection that is lost half way is no fault of the program, and nothing is left", async () => {
  const { root, env, rows } = await project("postgres", "create table half (n int);\nselect pg_sleep(60);\n");
  const running = cms(root, ["migrate"], env);
  const asleep =
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await expect.poll(() => rows(asleep)).toEqual([[true]]);
  const { code, stderr } = await running;
  expect([code, stderr]).toEqual([2, "error The connection to the database was lost\n"]);
  expect(await rows("select to_regclass('half')::text")).toEqual([[null]]);
});
