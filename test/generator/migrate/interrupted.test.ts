/** `cms migrate` that is killed, and several at once. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { cms, cmsOutput, type Started, startCms } from "../../support/cms.ts";
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
    /** Rows of a statement, when no command has the database. */
    async rows(sql: string) {
      const database = await openDatabase(config, root);
      try {
        return await database.rows(sql);
      } finally {
        await database.close();
      }
    },
  };
};

const ROWS = 400_000;
const slow = `create table half (n int, filler text);
insert into half select n, repeat('x', 100) from generate_series(1, ${ROWS}) as n;
create table whole (n int);
`;

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

/** Waits until the rows of the migration are on their way to the disk. */
const waitForHalf = async (kind: DatabaseKind, { root, rows }: Awaited<ReturnType<typeof project>>, began: Started) => {
  if (kind === "postgres") {
    const inserting =
      "select count(*)::int from pg_stat_activity where query like '%insert into half%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()";
    await vi.waitFor(async () => expect(await rows(inserting)).toEqual([[1]]), SOON);
    return;
  }
  let printed = "";
  began.child.stdout?.on("data", (text: string) => (printed += text));
  await vi.waitFor(() => expect(printed).toContain("apply"), SOON);
  const data = path.join(root, ".cms", "data", "base");
  const before = sizeOf(data);
  await vi.waitFor(() => expect(sizeOf(data)).toBeGreaterThan(before + 2_000_000), SOON);
};

test.each(bothDatabases)(
  "a migration that is killed half way leaves nothing, and the next run does the whole, on %s",
  async (kind) => {
    const own = await project(kind, slow);
    const { root, env, name, rows } = own;
    const killed = startCms(root, ["migrate"], env);
    await waitForHalf(kind, own, killed);
    killed.child.kill("SIGKILL");
    expect((await killed.ended).code).toBe(null);
    expect(await rows("select to_regclass('half')::text, (select count(*)::int from galley_migrations)")).toEqual([
      [null, 0],
    ]);

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
