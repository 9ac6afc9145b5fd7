/** `cms import` straight from a database of Strapi: as if it were given the export of it. */
import { appendFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { openSqlite } from "../../generator/import/database/sqlite.ts";
import { atEndOfTest, cms } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { bytes, content } from "../support/exported-content.ts";
import { freshTables, generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";
import { fillPostgres, fillSqlite } from "../support/strapi-database.ts";

const root = await generatedImportProject(afterAll);
const uploads = path.join(root, "uploads");
await mkdir(uploads);
await writeFile(path.join(uploads, "raport_1.pdf"), bytes);

/** What an export of the database holds. */
const exportOf = async (): Promise<Buffer> => {
  const file = path.join(root, "after.tar.gz");
  expect((await cms(root, ["export", file])).stderr).toBe("");
  return gunzipSync(await readFile(file));
};

/** Imports into an empty database, and returns what an export of it holds. */
const exportAfter = async (...place: readonly string[]): Promise<{ readonly tar: Buffer; readonly said: string }> => {
  await freshTables(root, atEndOfTest);
  const imported = await cms(root, ["import", ...place]);
  expect(imported.stderr).toBe("");
  return { tar: await exportOf(), said: imported.stdout };
};

test("a database of PostgreSQL and a file of SQLite come over like the archive, to the byte", async () => {
  const archive = path.join(root, "export.tar.gz");
  await writeArchive(archive, content);
  const expected = await exportAfter(archive);

  const url = await freshPostgresUrl(atEndOfTest);
  await fillPostgres(url, content);
  const fromPostgres = await exportAfter(url, "--files", uploads);
  expect(fromPostgres.said).toContain("import of a database of Strapi 5");
  expect(fromPostgres.said).toContain("2 x api::page.page gone: there is no such attribute here");
  expect(fromPostgres.tar.equals(expected.tar)).toBe(true);

  const file = path.join(root, "data.db");
  fillSqlite(file, content);
  const fromSqlite = await exportAfter(file, "--files", uploads);
  expect(fromSqlite.tar.equals(expected.tar)).toBe(true);
  expect((await cms(root, ["import", file, "--files", uploads])).stdout).not.toMatch(/[1-9]\d* created/);

  // What Strapi has written, and not yet put into the file.
  await writeFile(`${file}-wal`, "pages");
  const refused = await cms(root, ["import", file]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("Stop Strapi");
});

test("a database is refused where the schema files of components are elsewhere, and read with them by --from", async () => {
  const file = path.join(root, "elsewhere.db");
  fillSqlite(file, content);
  const expected = await exportAfter(file, "--files", uploads);
  const moved = path.join(root, "elsewhere");
  await rename(path.join(root, "content-types"), moved);
  try {
    const refused = await cms(root, ["import", file, "--files", uploads]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("no schema file in content-types describes blocks.hero, blocks.quote");
    await freshTables(root, atEndOfTest);
    expect((await cms(root, ["import", file, "--files", uploads, "--from", "elsewhere"])).stderr).toBe("");
  } finally {
    await rename(moved, path.join(root, "content-types"));
  }
  expect((await exportOf()).equals(expected.tar)).toBe(true);
});

test("the copy of a file of SQLite that is read has no name, so that a killed import leaves none", async () => {
  const file = path.join(root, "copied.db");
  fillSqlite(file, content);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = path.join(root, "temporary");
  await mkdir(path.join(root, "temporary"));
  const { tables, close } = await openSqlite(file).finally(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  const left = await readdir(path.join(root, "temporary"), { recursive: true, withFileTypes: true });
  expect(left.filter((each) => each.isFile())).toEqual([]);
  expect(await tables.page("pages", 0, 1)).toHaveLength(1);
  await close();
  expect(await readdir(path.join(root, "temporary"))).toEqual([]);
});

test("what is no database of Strapi is refused, and no address shows its password", async () => {
  await freshTables(root, atEndOfTest);
  const url = new URL(await freshPostgresUrl(atEndOfTest));
  const other = await cms(root, ["import", url.href]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("none of Strapi 4 or 5");
  url.port = "1";
  url.password = "s3cret";
  const unreachable = await cms(root, ["import", url.href]);
  expect(unreachable.code).toBe(2);
  expect(unreachable.stderr).toContain(`the database ${url.host}${url.pathname} cannot be read: `);
  expect(unreachable.stdout + unreachable.stderr).not.toContain("s3cret");
  const wrong = await cms(root, ["import", "postgres://user:s3cret@two words"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stdout + wrong.stderr).not.toContain("s3cret");
  const broken = path.join(root, "broken.db");
  await writeFile(broken, "SQLite format 3\0");
  await appendFile(broken, Buffer.alloc(5000, 7));
  const damaged = await cms(root, ["import", broken]);
  expect(damaged.code).toBe(2);
  expect(damaged.stderr).toContain("cannot be read as a database of SQLite");
});
