/** `cms import` writes batch by batch: whatever ends a batch, every row comes over once. */
import path from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { atEndOfTest, cms, startCms } from "../support/cms.ts";
import { PAGE, published, WRITER } from "../support/exported-content.ts";
import { exportedSchemas, freshTables, generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";

let made: Promise<string> | undefined;
const project = (): Promise<string> => (made ??= generatedImportProject(afterAll));

test("rows that are too long for one batch come over, one that is longer than any batch too", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const archive = path.join(root, "long.tar.gz");
  const lengths = [10, 1_500_000, 1_500_000, 1_500_000, 10, 5_000_000, 10, 5_000_000, 1_500_000];
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: lengths.map((length, index) => [
      PAGE,
      index + 1,
      {
        documentId: `l${String(index).padStart(23, "0")}`,
        title: `L ${index}`,
        summary: "x".repeat(length),
        ...published,
        locale: "en",
      },
    ]),
    links: [],
  });
  expect((await cms(root, ["import", archive])).stdout).toContain(`api::page.page: ${2 * lengths.length} created`);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const rows =
    await client`select title, length(summary) as length, count(*)::int as versions from pages group by 1, 2 order by 1`;
  expect(rows.map(({ title, length, versions }) => [title, length, versions])).toEqual(
    lengths.map((length, index) => [`L ${index}`, length, 2]),
  );
  expect((await cms(root, ["import", archive])).stdout).toContain(`0 created, ${2 * lengths.length} there before`);
});

/** Writes an archive with so many writers to the file. */
const writersTo = async (file: string, count: number): Promise<string> => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await writeArchive(file, {
    schemas: exportedSchemas,
    entities: ids.map((id) => [
      WRITER,
      id,
      { documentId: `w${String(id).padStart(23, "0")}`, name: `W ${id}`, secret: null, ...published },
    ]),
    links: [],
  });
  return file;
};

test("an import that was killed goes on where it was", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const archive = await writersTo(path.join(root, "many.tar.gz"), 6000);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const count = async (): Promise<unknown> => (await client`select count(*)::int as count from writers`)[0]?.["count"];
  const { child, ended } = startCms(root, ["import", archive]);
  while ((await count()) === 0 && child.exitCode === null);
  child.kill("SIGKILL");
  await ended;
  expect(await count()).not.toBe(0);
  expect((await cms(root, ["import", archive])).code).toBe(0);
  expect(await count()).toBe(6000);
  expect(await client`select 1 from writers where id > 6000 or name <> 'W ' || id`).toHaveLength(0);
});

test("rows that the database refuses or leaves out end an import, and come over once it takes them", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const archive = await writersTo(path.join(root, "refused.tar.gz"), 3);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  await client.unsafe("alter table writers add constraint no_twos check (name <> 'W 2')");
  const refused = await cms(root, ["import", archive]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('The database refuses rows of writers: new row for relation "writers" violates');
  await client.unsafe(`
    alter table writers drop constraint no_twos;
    create function leave_out() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger leave_out before insert on writers for each row when (new.name = 'W 2') execute function leave_out()`);
  const left = await cms(root, ["import", archive]);
  expect(left.code).toBe(2);
  expect(left.stderr).toContain("A trigger or policy of the database has left out 1 of 3 rows of writers");
  expect(await client`select 1 from writers`).toHaveLength(0);
  await client.unsafe("drop trigger leave_out on writers");
  expect((await cms(root, ["import", archive])).stdout).toContain(`${WRITER}: 3 created`);
});
