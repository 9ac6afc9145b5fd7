/** A project on a branch of a git repository, with a database on a server, worked on by functions instead of processes. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { folderSource } from "../../generator/commands/folder-source.ts";
import type { GenerateFlags } from "../../generator/commands/generate/flags.ts";
import { openSources } from "../../generator/commands/generate/project.ts";
import { generate } from "../../generator/commands/generate/run.ts";
import { type DownFlags, type MigrateFlags, runDown, runMigrate } from "../../generator/commands/migrate/run.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { type Cleanup, freshPostgresUrl } from "./database.ts";
import type { Files } from "./migration-lab.ts";

export const branchProject = async (cleanup: Cleanup) => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-branch-"));
  cleanup(async () => rmSync(root, { recursive: true, force: true }));
  const migrations = path.join(root, "generated", "migrations");
  const url = await freshPostgresUrl(cleanup);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-C", root, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
      encoding: "utf8",
    });
  git("init", "--initial-branch=main");
  write(".gitignore", ".cms\n.env\n");
  write(".env", `DATABASE_URL=${url}\n`);
  const database = await openPostgres(url, 1);
  cleanup(() => database.close());
  return {
    root,
    database,
    git,
    /** Names of the migrations without their time. */
    titles: () => readdirSync(migrations).map((name) => name.replace(/^\d{14}_/, "")),
    names: () => readdirSync(migrations).sort(),
    file: (name: string, file: string) => path.join(migrations, name, file),
    read: (name: string | undefined, file: string) => readFileSync(path.join(migrations, String(name), file), "utf8"),
    /** Makes `files` the whole schema and generates. */
    async change(files: Files, flags: GenerateFlags = {}) {
      rmSync(path.join(root, "content-types"), { recursive: true, force: true });
      for (const [file, content] of Object.entries(files)) write(`content-types/${file}`, JSON.stringify(content));
      return generate(await openSources(root, undefined), flags);
    },
    commit() {
      git("add", "--all");
      git("commit", "--message", "Change");
    },
    migrate: (flags: MigrateFlags = {}) => runMigrate(folderSource(root), flags),
    down: (flags: DownFlags = {}) => runDown(folderSource(root), { allowLoss: true, ...flags }),
  };
};
