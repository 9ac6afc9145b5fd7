/**
 * A project that changes its schema while its database holds content.
 *
 *     const lab = await migrationLab(database, onTestFinished);
 *     await lab.change({ "article/schema.json": articleSchema({ title: { type: "string" } }) });
 *     await lab.up();      // migrates, and checks that the database is what the snapshot says
 *     await lab.down();    // the same on the way back
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { generate } from "../../generator/commands/generate/run.ts";
import { readHistory } from "../../generator/migrate/history/history.ts";
import { emptySnapshot } from "../../generator/migrate/snapshot.ts";
import { findDrift } from "../../generator/migrate/tables/drift.ts";
import { configSchema } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import { migrate, migrateDown } from "../../runtime/database/migrations/migrator.ts";
import { readApplied } from "../../runtime/database/migrations/record.ts";

export type Files = Readonly<Record<string, unknown>>;
type Cleanup = (work: () => void) => void;

/** A schema file of a collection type with these attributes; `more` replaces or adds keys. */
export const schema = (name: string, attributes: object, more: object = {}): object => ({
  kind: "collectionType",
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  attributes,
  ...more,
});

export const component = (attributes: object, more: object = {}): object => ({
  info: { displayName: "Component" },
  attributes,
  ...more,
});

export const migrationLab = async (database: Database, cleanup: Cleanup) => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-lab-"));
  cleanup(() => rmSync(root, { recursive: true, force: true }));
  await database.script("drop schema public cascade; create schema public");
  const folder = path.join(root, "generated");
  const migrations = path.join(folder, "migrations");
  const from = path.join(root, "content-types");
  const config = configSchema.parse({ graphql: { artifacts: false }, openapi: { artifact: false } });
  const names = { name: "generated", toRoot: "..", app: undefined, defaultLocale: "en" };
  const project = { root, folder, from, ...names, ...config, client: false };

  /** The database must be what the snapshot of the last applied migration says. */
  const expectNoDrift = async () => {
    const last = (await readApplied(database)).at(-1)?.name;
    const snapshot = readHistory(migrations).find(({ name }) => name === last)?.snapshot ?? emptySnapshot;
    expect(await findDrift(database, snapshot)).toEqual([]);
  };

  return {
    root,
    database,
    migrations,
    /** Makes `files` the whole schema and generates; returns the name of the migration that was written. */
    async change(
      files: Files,
      allow: readonly string[] = [],
      phase: { readonly expand?: true; readonly contract?: true } = {},
    ): Promise<string | undefined> {
      rmSync(from, { recursive: true, force: true });
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(from, file)), { recursive: true });
        writeFileSync(path.join(from, file), JSON.stringify(content, null, 2));
      }
      const { diagnostics, migration } = await generate(project, { allow, ...phase });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      return migration?.name;
    },
    async up(): Promise<readonly string[]> {
      const names = await migrate(database, migrations);
      await expectNoDrift();
      return names;
    },
    async down(): Promise<void> {
      await migrateDown(database, migrations);
      await expectNoDrift();
    },
    run: (sql: string): Promise<void> => database.script(sql),
    /** Rows of a statement. */
    rows: (sql: string) => database.rows(sql),
  };
};

export type MigrationLab = Awaited<ReturnType<typeof migrationLab>>;
