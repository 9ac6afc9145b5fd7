import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Session } from "../../../runtime/database/database.ts";
import {
  migrate,
  migrateDown,
  MigrationError,
  migrationStatus,
} from "../../../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { bothDatabases, freshDatabase, freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";

const pendingMigrations = async (database: Session, folder: string): Promise<readonly string[]> =>
  (await migrationStatus(database, folder)).pending.map(({ name }) => name);

type Files = Readonly<Record<string, string | readonly [up: string, down: string]>>;

const folderWith = async (files: Files) => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const add = async (more: Files) => {
    for (const [name, content] of Object.entries(more)) {
      const [up, down] = typeof content === "string" ? [content, undefined] : content;
      await mkdir(path.join(folder, name), { recursive: true });
      await writeFile(path.join(folder, name, "up.sql"), up);
      if (down !== undefined) await writeFile(path.join(folder, name, "down.sql"), down);
    }
  };
  await add(files);
  return { folder, add };
};

const one = ["create table t (n int);", "drop table t;"] as const;
const two = ["insert into t values (2);", "delete from t where n = 2;"] as const;
const three = ["insert into t values (3);", "delete from t where n = 3;"] as const;

test.each(bothDatabases)("migrations run once, in order, up to the one named, and back on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const { folder, add } = await folderWith({ "1_one": one, "3_three": three });
  expect(await pendingMigrations(database, folder)).toEqual(["1_one", "3_three"]);
  expect(await migrate(database, folder, { to: "1_one" })).toEqual(["1_one"]);
  expect(await migrate(database, folder)).toEqual(["3_three"]);
  expect(await migrate(database, folder)).toEqual([]);
  // One that was merged late runs although a later one has run.
  await add({ "2_two": two });
  expect(await migrate(database, folder)).toEqual(["2_two"]);
  expect(await pendingMigrations(database, folder)).toEqual([]);
  expect(await migrateDown(database, folder)).toEqual(["2_two"]);
  expect(await database.rows("select n from t")).toEqual([[3]]);
  expect(await migrateDown(database, folder, { to: "1_one" })).toEqual(["3_three"]);
  expect(await database.rows("select n from t")).toEqual([]);
});

test("the functions for full-text search are there before the first migration that calls them, and not without one", async () => {
  const database = await freshDatabase("pglite", onTestFinished);
  const { folder, add } = await folderWith({ "1_one": one });
  const known = () => database.rows("select count(*)::int from pg_proc where proname = 'galley_words'");
  await migrate(database, folder);
  expect(await known()).toEqual([[0]]);
  await add({ "2_two": "create index on t (galley_words('en', n::text, '', '', ''));" });
  await migrate(database, folder);
  expect(await known()).toEqual([[1]]);
});

test.each(bothDatabases)("a migration that fails leaves nothing behind on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const { folder } = await folderWith({
    "1_one": one,
    "2_bad": "insert into t values (1); insert into nowhere values (1);",
  });
  await expect(migrate(database, folder)).rejects.toThrow('2_bad: relation "nowhere" does not exist');
  expect(await database.rows("select n from t")).toEqual([]);
  expect(await pendingMigrations(database, folder)).toEqual(["2_bad"]);
});

test.each(bothDatabases)("what was applied and then changed or removed is refused on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const { folder, add } = await folderWith({ "1_one": one, "2_two": two });
  await migrate(database, folder);
  await add({ "1_one": "create table t (n int); -- better" });
  await expect(migrate(database, folder)).rejects.toThrow("changed after they were applied here: 1_one");
  await add({ "1_one": `${one[0].replaceAll("\n", "\r\n")}` });
  expect(await migrate(database, folder)).toEqual([]);
  await rm(path.join(folder, "2_two"), { recursive: true });
  await expect(migrate(database, folder)).rejects.toThrow("not among the files: 2_two");
});

test.each(bothDatabases)("a migration without a way back says so on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const { folder } = await folderWith({ "1_one": one[0] });
  await migrate(database, folder);
  await expect(migrateDown(database, folder)).rejects.toBeInstanceOf(MigrationError);
  expect(await pendingMigrations(database, folder)).toEqual([]);
});

const online = `create table big (n int);
insert into big select generate_series(1, 100);

-- outside a transaction:

create index concurrently if not exists big_n_idx on big (n);

insert into big values (0);

alter table big add constraint positive check (n > 0);
`;

test.each(bothDatabases)("statements outside a transaction go on where they stopped on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const { folder } = await folderWith({ "1_online": online });
  await expect(migrate(database, folder)).rejects.toThrow("positive");
  expect(await pendingMigrations(database, folder)).toEqual(["1_online"]);
  await database.script("delete from big where n = 0");
  expect(await migrate(database, folder)).toEqual(["1_online"]);
  // The insert had run before and did not run again.
  expect(await database.rows("select count(*)::int from big where n = 0")).toEqual([[0]]);
  expect(await pendingMigrations(database, folder)).toEqual([]);
});

/** Fails the first time that it is called, as what a neighbour is in the way of does; a sequence keeps count. */
const thwarted = (name: string, code: string): string => `create sequence ${name}_calls;
create function ${name}(n int) returns int language plpgsql immutable as $$
begin
  if nextval('public.${name}_calls') = 1 then
    raise exception using errcode = '${code}', message = 'somebody was in the way';
  end if;
  return n;
end
$$;
`;

test.each(bothDatabases)(
  "what a neighbour was in the way of begins anew, an index with what is left of it, on %s",
  async (kind) => {
    const database = await freshDatabase(kind, onTestFinished);
    const { folder, add } = await folderWith({
      "1_one": `${one[0]} insert into t values (1);\n${thwarted("inside", "40P01")}${thwarted("outside", "55P03")}`,
    });
    await migrate(database, folder);
    await add({
      "2_two": `insert into t values (inside(2));

-- outside a transaction:

drop index concurrently if exists "t_n_idx";

create index concurrently "t_n_idx" on "t" (outside(n));
`,
    });
    const waits: string[] = [];
    expect(await migrate(database, folder, { onWait: (name) => waits.push(name) })).toEqual(["2_two"]);
    expect(waits).toEqual(["2_two", "2_two"]);
    expect(await database.rows("select n from t order by n")).toEqual([[1], [2]]);
    expect(await database.rows("select indexrelid::regclass::text from pg_index where not indisvalid")).toEqual([]);
  },
);

const crlf = (sql: string): string => sql.replaceAll("\n", "\r\n");

test.each(bothDatabases)("a checkout with CRLF line ends runs like any other on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  const batches =
    "-- before the transaction:\n\ndo $$\nbegin\n  insert into t values (1);\n  commit;\nend\n$$;\n\n-- in the transaction:\n\ninsert into t values (2);\n";
  const index = "-- outside a transaction:\n\ncreate index concurrently t_n_idx on t (n);\n";
  const back = "delete from t;\n\n-- outside a transaction:\n\ndrop index concurrently t_n_idx;\n";
  const { folder } = await folderWith({ "1_one": one, "2_two": [crlf(`${batches}\n${index}`), crlf(back)] });
  expect(await migrate(database, folder)).toEqual(["1_one", "2_two"]);
  expect(await database.rows("select n from t order by n")).toEqual([[1], [2]]);
  expect(await migrateDown(database, folder)).toEqual(["2_two"]);
  expect(await database.rows("select n from t")).toEqual([]);
});

test.each(bothDatabases)(
  "undoing goes on where it stopped too, before anything else is applied, on %s",
  async (kind) => {
    const database = await freshDatabase(kind, onTestFinished);
    const back =
      "drop table other;\n\n-- outside a transaction:\n\ninsert into t values (0);\n\nalter table t add check (n < 5);\n";
    const { folder } = await folderWith({ "1_one": one, "2_back": ["create table other (n int);", back] });
    await migrate(database, folder);
    await database.script("insert into t values (9)");
    await expect(migrateDown(database, folder)).rejects.toThrow("2_back: check constraint");
    await expect(migrate(database, folder)).rejects.toThrow("2_back is half undone: run `cms migrate down` again");
    await database.script("delete from t where n = 9");
    expect(await migrateDown(database, folder)).toEqual(["2_back"]);
    // What had run did not run again.
    expect(await database.rows("select n from t")).toEqual([[0]]);
    expect(await migrate(database, folder)).toEqual(["2_back"]);
  },
);

test("of two that migrate at once, one waits and finds nothing to do", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const { folder } = await folderWith({ "1_one": one, "2_slow": "select pg_sleep(0.3); insert into t values (2);" });
  const both = await Promise.all(
    [1, 2, 3].map(async () => {
      const database = await openPostgres(url, 2);
      try {
        return await migrate(database, folder);
      } finally {
        await database.close();
      }
    }),
  );
  expect(both.map((names) => names.length).sort()).toEqual([0, 0, 2]);
});

test("a migration waits for a lock without holding up others, and goes on when it is free", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = [await openPostgres(url, 2), await openPostgres(url, 2)];
  onTestFinished(() => database.close());
  onTestFinished(() => other.close());
  const { folder } = await folderWith({ "1_one": one, "2_column": "alter table t add column m int;" });
  await migrate(database, folder, { to: "1_one" });
  let waited = 0;
  const { promise: migrated, resolve } = deferred();
  await other.transaction(async (session) => {
    await session.rows("lock table t in access share mode");
    const running = migrate(database, folder, { onWait: () => waited++ });
    running.then(resolve, resolve);
    await expect.poll(() => waited).toBeGreaterThan(0);
    // Between attempts nobody stands in line: others read.
    expect(await other.rows("select * from t")).toEqual([]);
  });
  await migrated;
  expect(await pendingMigrations(other, folder)).toEqual([]);
});
