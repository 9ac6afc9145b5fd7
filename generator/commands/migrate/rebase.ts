/**
 * `cms migrate rebase`: completes a merge. Regenerates generated files, and the branch's migrations on top of main's.
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { REPLACES } from "../../../runtime/database/migrations/files.ts";
import { linesOf, readHistory, type Recorded } from "../../migrate/history/history.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import type { PlannedMigration } from "../../migrate/plan.ts";
import type { OutputPlan } from "../../output/plan.ts";
import { CommandError } from "../exit-codes.ts";
import type { GenerateFlags } from "../generate/flags.ts";
import { printOutcome } from "../generate/outcome.ts";
import { openSources, type Project } from "../generate/project.ts";
import { generate } from "../generate/run.ts";
import { say } from "../terminal.ts";
import { inReach, namesIn, type Names } from "./applied.ts";
import { namesInMain } from "./main-branch.ts";
import { inPlaceOf } from "./set-aside.ts";

export interface RebaseFlags {
  readonly allow?: readonly string[];
}

/** The line of migrations that stays: main's, else the database's, else the one that diverged first. */
const lineThatStays = (lines: readonly (readonly string[])[], inMain: Names, applied: Names): readonly string[] => {
  const own = (line: readonly string[]) => line.filter((name) => lines.some((other) => !other.includes(name)));
  const count = (line: readonly string[], names: Names) => own(line).filter((name) => names.has(name)).length;
  const parted = (line: readonly string[]) => own(line)[0] ?? "";
  const [first = []] = lines.toSorted(
    (a, b) =>
      count(b, inMain) - count(a, inMain) || count(b, applied) - count(a, applied) || (parted(a) < parted(b) ? -1 : 1),
  );
  return first;
};

/** Tables and columns that a migration says it changes. */
const changedBy = (folder: string, name: string): readonly string[] => {
  const [head = ""] = readFileSync(path.join(folder, name, "up.sql"), "utf8").split("-- Locks:");
  return head.match(/(?<=table )\S+|\S+\.\S+/g) ?? [];
};

type Anew = Awaited<ReturnType<typeof findAnew>>;

/** The migrations to regenerate: those of every line but the one that stays. */
const findAnew = async (root: string, folder: string) => {
  const history = readHistory(folder);
  const lines = linesOf(history);
  if (lines.length < 2) return { migrations: [], applied: [], isApart: true };
  const applied = new Set((await inReach(root, namesIn)) ?? []);
  const stays = lineThatStays(lines, namesInMain(folder), applied);
  const migrations = history.filter(({ name }) => !stays.includes(name));
  const others = new Set(stays.filter((name) => !applied.has(name)).flatMap((name) => changedBy(folder, name)));
  const names = migrations.map(({ name }) => name);
  return {
    migrations,
    /** Those of them that the project's database has. */
    applied: names.filter((name) => applied.has(name)),
    /** Whether they are independent of the migrations that the database lacks: then they may come first. */
    isApart: names.flatMap((name) => changedBy(folder, name)).every((each) => !others.has(each)),
  };
};

/** The statements of a migration, without comments. */
const statementsOf = (sql: string): string => sql.slice(sql.indexOf("\n\n"));

/**
 * A database that applied the old migration treats the new one as applied if both do the same. If not, `cms dev` brings
 * a development database there and keeps its content.
 */
const adoptApplied = (
  { folder }: Project,
  { migrations, applied, isApart }: Anew,
  aside: string,
  made: PlannedMigration,
) => {
  const [only, ...others] = migrations;
  const before = only && others.length === 0 ? readFileSync(path.join(aside, only.name, "up.sql"), "utf8") : "";
  if (isApart && statementsOf(before) === statementsOf(made.files["up.sql"]))
    return writeFileSync(path.join(migrationsFolder(folder), made.name, REPLACES), `${applied.join("\n")}\n`);
  say(
    `the database has ${applied.join(", ")}, which did something else: \`cms dev\` brings it here, and keeps its content`,
  );
};

/** The flags that they were generated with. */
const flagsOf = (anew: readonly Recorded[], allow: readonly string[]): GenerateFlags => ({
  force: true,
  allow: [...new Set([...anew.flatMap(({ snapshot }) => snapshot.allowed ?? []), ...allow])],
  ...(anew.some(({ snapshot }) => snapshot.expanded) ? { expand: true } : {}),
});

/** Keeps hand-made changes to generated files. */
const keepReplaced = ({ files }: OutputPlan, aside: string): readonly string[] =>
  files.flatMap(({ path: file, edited, before }) => {
    if (!edited || before === undefined) return [];
    const copy = path.join(aside, file);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, before);
    return [file];
  });

/** Generates while the migrations are set aside. */
const generateAnew = async (project: Project, found: Anew, aside: string, allow: readonly string[]) => {
  const flags = flagsOf(found.migrations, allow);
  const outcome = await generate(project, flags, { adds: true, command: "cms migrate rebase" });
  printOutcome(outcome, project);
  if (outcome.plan === undefined) throw new CommandError("the schema files have errors; nothing was changed");
  if (found.applied.length > 0 && outcome.migration) adoptApplied(project, found, aside, outcome.migration);
  return outcome.plan;
};

export const runRebase = async (root: string, { allow = [] }: RebaseFlags): Promise<void> => {
  const project = await openSources(root, undefined);
  const found = await findAnew(root, migrationsFolder(project.folder));
  const names = found.migrations.map(({ name }) => name);
  const { place, result: plan } = await inPlaceOf(project, names, (aside) =>
    generateAnew(project, found, aside, allow),
  );
  const aside = path.join(root, place);
  const replaced = keepReplaced(plan, path.join(aside, "generated"));
  if (names.length + replaced.length === 0) return rmdirSync(aside);
  for (const name of names) say(`- ${project.name}/migrations/${name}/ (kept in ${place})`);
  for (const file of replaced) say(`  what stood in ${project.name}/${file} is kept in ${place}`);
};
