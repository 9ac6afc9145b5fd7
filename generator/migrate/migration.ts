/** The migration that belongs to rendered files: planned, told, written. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Model } from "../model/model.ts";
import { isRemembered, migrationDigest, remember } from "./current.ts";
import { readHistory } from "./history.ts";
import { outlineModel } from "./outline.ts";
import type { MigrationPlan, PlanInput, PlannedMigration } from "./plan.ts";

export interface MigrationInput {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The output folder, absolute. */
  readonly folder: string;
  readonly model: Model;
  /** Rendered files by path below the output folder; the tables among them are compared. */
  readonly rendered: readonly { readonly path: string; readonly text: string }[];
  readonly allow: readonly string[];
  readonly defaultLocale: string;
  /** Renames in two steps: see `PlanInput`. */
  readonly phase?: PlanInput["phase"];
}

export const migrationsFolder = (folder: string): string => path.join(folder, "migrations");

/** Names of the migrations in a folder, oldest first. */
export const namesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .sort()
    : [];

/**
 * Compares the rendered tables with the newest migration's snapshot. Writes nothing.
 * Neither the bundler nor Drizzle is loaded when nothing has changed since the last comparison on this machine.
 */
export const planFor = async (input: MigrationInput): Promise<MigrationPlan> => {
  const { root, folder, model, rendered, allow, defaultLocale, phase } = input;
  const tables = rendered.filter(({ path: file }) => /^(?!components\/).*\/table\.ts$/.test(file));
  const migrations = migrationsFolder(folder);
  const digest = migrationDigest([
    ...namesIn(migrations),
    JSON.stringify(outlineModel(model)),
    ...tables.flatMap(({ path: file, text }) => [file, text]),
  ]);
  if (phase === undefined && isRemembered(root, digest)) return { kind: "unchanged" };

  const history = await readHistory(migrations);
  const { loadTables } = await import("./load-tables.ts");
  const { describeTables } = await import("./describe-tables.ts");
  const { planMigration } = await import("./plan.ts");
  const loaded = await loadTables(folder, new Map(tables.map(({ path: file, text }) => [file, text])));
  const described = describeTables(loaded);
  const last = namesIn(migrations).at(-1);
  const plan = planMigration({
    model,
    tables: described,
    history,
    allow,
    defaultLocale,
    phase,
    now: new Date(),
    last,
  });
  if (plan.kind === "unchanged") remember(root, digest);
  return plan;
};

/** Writes a migration's folder: whole, or not at all. */
export const writeMigration = (folder: string, { name, files }: PlannedMigration): void => {
  const migrations = migrationsFolder(folder);
  const temporary = path.join(migrations, `.${name}.${process.pid}`);
  mkdirSync(temporary, { recursive: true });
  try {
    for (const [file, content] of Object.entries(files)) writeFileSync(path.join(temporary, file), content);
    renameSync(temporary, path.join(migrations, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/** Why a plan cannot be carried out, and what to do; undefined when it can. */
export const refusalOf = (plan: MigrationPlan): string | undefined => {
  if (plan.kind === "diverged") {
    return (
      `migrations ${plan.first} and ${plan.second} were made side by side, on two branches: ` +
      'run "cms migrate rebase", which makes those of the branch anew on top of those of main'
    );
  }
  if (plan.kind !== "refused") return undefined;
  const lines = plan.risks.flatMap(({ flag, reason }) => [
    `  ${reason}`,
    ...(flag === undefined ? [] : [`    to allow it: --allow ${flag}`]),
  ]);
  const heading = plan.risks.some(({ flag }) => flag !== undefined)
    ? "this change could lose data; nothing was written:"
    : "this cannot be migrated as it is; nothing was written:";
  const hint = 'An attribute or type that goes on under a new name needs "renamedFrom" with the old one.';
  return [heading, ...new Set(lines), hint].join("\n");
};
