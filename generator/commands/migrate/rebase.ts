/** `cms migrate rebase`: ends a merge. What was generated is made anew, and the branch's migrations on top of main's. */
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { openBeside } from "../../../runtime/database/beside/open.ts";
import { readApplied } from "../../../runtime/database/migrations/record.ts";
import { linesOf, readHistory, type Recorded } from "../../migrate/history/history.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import type { OutputPlan } from "../../output/plan.ts";
import { CommandError } from "../exit-codes.ts";
import type { GenerateFlags } from "../generate/flags.ts";
import { printOutcome } from "../generate/outcome.ts";
import { openSources, type Project } from "../generate/project.ts";
import { generate } from "../generate/run.ts";
import { packageVersion } from "../package-version.ts";
import { namesInMain } from "./main-branch.ts";

export interface RebaseFlags {
  readonly allow?: readonly string[];
}

type Names = ReadonlySet<string>;

const appliedNames = async (root: string): Promise<Names> => {
  const config = await loadConfig(root);
  const database = await openBeside(config, root, { command: "cms migrate rebase", version: packageVersion() });
  try {
    return new Set((await readApplied(database)).map(({ name }) => name));
  } finally {
    await database.close();
  }
};

/** What the project's database has applied cannot be made anew. */
const refuseApplied = (applied: Names, anew: readonly Recorded[]): void => {
  const names = anew.map(({ name }) => name).filter((name) => applied.has(name));
  if (names.length === 0) return;
  throw new CommandError(
    `${names.join(", ")} ${names.length === 1 ? "is" : "are"} applied to this database: ` +
      "undo with `cms migrate down` first, or rebase where it is not applied",
  );
};

/** The line of migrations that stays: main's, else what the database has, else the one that parted first. */
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

/** The migrations that are made anew: those of every other line. */
const findAnew = async (root: string, folder: string): Promise<readonly Recorded[]> => {
  const history = readHistory(folder);
  const lines = linesOf(history);
  if (lines.length < 2) return [];
  const applied = await appliedNames(root);
  const stays = lineThatStays(lines, namesInMain(folder), applied);
  const anew = history.filter(({ name }) => !stays.includes(name));
  refuseApplied(applied, anew);
  return anew;
};

/** The flags by which they were made. */
const flagsOf = (anew: readonly Recorded[], allow: readonly string[]): GenerateFlags => ({
  force: true,
  allow: [...new Set([...anew.flatMap(({ snapshot }) => snapshot.allowed ?? []), ...allow])],
  ...(anew.some(({ snapshot }) => snapshot.expanded) ? { expand: true } : {}),
});

/** Keeps what stood in generated files and was not generated. */
const keepReplaced = ({ files }: OutputPlan, aside: string): readonly string[] =>
  files.flatMap(({ path: file, edited, before }) => {
    if (!edited || before === undefined) return [];
    const copy = path.join(aside, file);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, before);
    return [file];
  });

/** Generates while the migrations of `anew` are aside. They come back where that is refused. */
const generateAnew = async (
  project: Project,
  anew: readonly Recorded[],
  aside: string,
  allow: readonly string[],
): Promise<OutputPlan> => {
  const move = (from: string, to: string) => {
    for (const { name } of anew) renameSync(path.join(from, name), path.join(to, name));
  };
  const folder = migrationsFolder(project.folder);
  move(folder, aside);
  try {
    const outcome = await generate(project, flagsOf(anew, allow), { adds: true, command: "cms migrate rebase" });
    printOutcome(outcome, project);
    if (outcome.plan === undefined) throw new CommandError("the schema files have errors; nothing was changed");
    return outcome.plan;
  } catch (error) {
    move(aside, folder);
    rmdirSync(aside);
    throw error;
  }
};

export const runRebase = async (root: string, { allow = [] }: RebaseFlags): Promise<void> => {
  const project = await openSources(root, undefined);
  const anew = await findAnew(root, migrationsFolder(project.folder));
  mkdirSync(path.join(root, ".cms", "rebased"), { recursive: true, mode: 0o700 });
  const aside = mkdtempSync(path.join(root, ".cms", "rebased", `${new Date().toISOString().replaceAll(/\D/g, "")}-`));
  const plan = await generateAnew(project, anew, aside, allow);
  const replaced = keepReplaced(plan, path.join(aside, "generated"));
  if (anew.length + replaced.length === 0) return rmdirSync(aside);
  const kept = path.relative(root, aside).replaceAll("\\", "/");
  for (const { name } of anew) process.stdout.write(`- ${project.name}/migrations/${name}/ (kept in ${kept})\n`);
  for (const file of replaced) process.stdout.write(`  what stood in ${project.name}/${file} is kept in ${kept}\n`);
};
