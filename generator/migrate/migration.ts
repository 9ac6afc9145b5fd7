/** The migration for rendered files: plans, reports and writes it. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Model } from "../model/model.ts";
import { digestOf } from "../rendered/digest.ts";
import { tableFilesIn } from "../rendered/table-files.ts";
import { tracesOf } from "./history/current.ts";
import { readHistory, type Recorded } from "./history/history.ts";
import { outlineModel } from "./history/outline.ts";
import type { MigrationPlan, PlanInput } from "./plan.ts";
import type { Risk } from "./step.ts";

export interface MigrationInput {
  /** The output folder, absolute. */
  readonly folder: string;
  readonly model: Model;
  /** Rendered files by path below the output folder; their tables are compared. */
  readonly rendered: readonly { readonly path: string; readonly text: string }[];
  /** The exports of the table files, if they have already been evaluated. */
  readonly exported?: readonly unknown[] | undefined;
  readonly allow: readonly string[];
  readonly defaultLocale: string;
  /** Two-step renames: see `PlanInput`. */
  readonly phase?: PlanInput["phase"];
  /** The migration's name, if it is not derived from what it does. */
  readonly named?: string | undefined;
  /** Returns those of the newest migrations (given oldest first) that nobody else has: a suffix of the list. */
  readonly replaceable?: (newest: readonly string[]) => Promise<readonly string[]>;
}

/** What to do with the migrations folder. */
export type FolderPlan =
  | MigrationPlan
  /** Replaces these by one migration. */
  | (Extract<MigrationPlan, { kind: "planned" }> & { readonly replaced: readonly string[] })
  /** Removes these, which cancel each other out. */
  | { readonly kind: "withdrawn"; readonly replaced: readonly string[] };

export const migrationsFolder = (folder: string): string => path.join(folder, "migrations");

/** Names of the migrations in a folder, oldest first. */
export const namesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .sort()
    : [];

const run = async (folder: string, tables: MigrationInput["rendered"]): Promise<readonly unknown[]> => {
  const { loadTables } = await import("./tables/load-tables.ts");
  return loadTables(folder, new Map(tables.map(({ path: file, text }) => [file, text])));
};

/** Changes whenever the next migration may: a fingerprint of the rendered files and existing migrations. */
export const comparedBy = ({ folder, model, rendered }: MigrationInput): string => {
  const migrations = migrationsFolder(folder);
  return digestOf([
    ...tracesOf(migrations, namesIn(migrations)),
    JSON.stringify(outlineModel(model)),
    ...tableFilesIn(rendered).flatMap(({ path: file, text }) => [file, text]),
  ]);
};

/** The input of a plan. */
const compare = async (input: MigrationInput): Promise<PlanInput> => {
  const { folder, model, rendered, allow, defaultLocale, phase, named } = input;
  const { describeTables } = await import("./tables/describe-tables.ts");
  const loaded = input.exported ?? (await run(folder, tableFilesIn(rendered)));
  const migrations = migrationsFolder(folder);
  return {
    model,
    tables: describeTables(loaded),
    history: readHistory(migrations),
    allow,
    defaultLocale,
    phase,
    named,
    now: new Date(),
    last: namesIn(migrations).at(-1),
  };
};

/** The trailing migrations, oldest first, that are unedited and independent of others. */
const untouched = async (
  folder: string,
  history: readonly Recorded[],
  names: readonly string[],
): Promise<readonly string[]> => {
  const { isUntouched } = await import("./history/untouched.ts");
  const migrations = migrationsFolder(folder);
  const found: string[] = [];
  for (const name of names.toReversed()) {
    const at = history.findIndex((each) => each.name === name);
    const [own, before] = [history[at], history[at - 1]];
    if (!own || own.snapshot.expanded || before?.snapshot.expanded || !isUntouched(migrations, own)) break;
    found.unshift(name);
  }
  return found;
};

/** The newest migrations that nobody else has. There may be hundreds of others, which are not read. */
const findReplaced = async ({ folder, replaceable }: MigrationInput, history: readonly Recorded[]) => {
  const names = namesIn(migrationsFolder(folder));
  if (!replaceable || (await untouched(folder, history, names.slice(-1))).length === 0) return [];
  return untouched(folder, history, await replaceable(names));
};

/** The plan with one migration instead of the newest ones that nobody else has. */
const replacing = async (plan: MigrationPlan, planned: PlanInput, input: MigrationInput): Promise<FolderPlan> => {
  if (plan.kind === "unchanged" || plan.kind === "diverged" || planned.phase !== undefined) return plan;
  const replaced = await findReplaced(input, planned.history);
  if (replaced.length === 0) return plan;
  const { planInstead } = await import("./plan.ts");
  const instead = planInstead(planned, replaced.length);
  if (instead === undefined || (instead.kind === "refused" && plan.kind === "planned")) return plan;
  if (instead.kind === "unchanged") return { kind: "withdrawn", replaced };
  return instead.kind === "planned" ? { ...instead, replaced } : instead;
};

/**
 * Compares the rendered tables with the newest migration's snapshot. Writes nothing.
 */
export const planFor = async (input: MigrationInput): Promise<FolderPlan> => {
  const planned = await compare(input);
  const { planMigration } = await import("./plan.ts");
  return replacing(planMigration(planned), planned, input);
};

/** Why several migrations cannot be squashed; a plan otherwise. */
export type SquashPlan = Extract<FolderPlan, { readonly replaced: readonly string[] }> | { readonly reason: string };

/** Plans one migration instead of the newest ones that `input.replaceable` leaves. Writes nothing. */
export const planSquash = async (input: MigrationInput): Promise<SquashPlan> => {
  const planned = await compare(input);
  const { planInstead, planMigration } = await import("./plan.ts");
  if (planMigration(planned).kind !== "unchanged")
    return { reason: "the schema files ask for another migration: run `cms generate` first" };
  const replaced = await findReplaced(input, planned.history);
  if (replaced.length < 2) return { reason: "there are no two of the branch's own migrations to make one of" };
  const plan = planInstead(planned, replaced.length);
  if (plan === undefined)
    return { reason: "they rename or convert something twice, which takes them one after another" };
  if (plan.kind === "planned") return { ...plan, replaced };
  return plan.kind === "unchanged" ? { kind: "withdrawn", replaced } : { reason: refusalOf(plan) ?? "" };
};

/** Writes a migration's folder: whole, or not at all. */
export const writeMigration = (
  folder: string,
  { name, files }: { readonly name: string; readonly files: Readonly<Record<string, string>> },
): void => {
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

/** Possible renames, and how to declare them. */
export const likely = (proposals: readonly string[]): readonly string[] | undefined =>
  proposals.length === 0 ? undefined : ["does it go on under a new name?", ...proposals.map((each) => `  ${each}`)];

/** The flags to copy to allow everything, appended to those already given. */
const allowAll = (risks: readonly Risk[], command: string): readonly string[] => {
  const flags = [...new Set(risks.flatMap(({ flag }) => flag ?? []))];
  return flags.length === 0 ? [] : ["to allow all of it:", `  ${command} --allow ${flags.join(" ")}`];
};

/**
 * Why a plan cannot be carried out, and what to do; undefined if it can.
 *
 * @param command the command that was called, to which `--allow` can be appended
 */
export const refusalOf = (plan: FolderPlan, command = "cms generate"): string | undefined => {
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
  const hint = plan.risks.some(({ reason }) => reason.includes(" would be dropped with all its "))
    ? ['An attribute or type that goes on under a new name needs "renamedFrom" with the old one.']
    : [];
  return [heading, ...new Set(lines), ...(likely(plan.proposals) ?? hint), ...allowAll(plan.risks, command)].join("\n");
};
