/** `cms generate --check`: what differs between the committed files and what would be generated. */
import { formatPatch, structuredPatch } from "diff";
import { type FolderPlan, refusalOf } from "../../migrate/migration.ts";
import { changesOf, type OutputPlan, type PlannedFile } from "../../output/plan.ts";
import { isInterrupted } from "../../output/write.ts";
import { out, say } from "../terminal.ts";
import type { GenerateFlags } from "./flags.ts";
import type { Project } from "./project.ts";

const stateOf = ({ action, edited }: PlannedFile): string => {
  if (action === "create") return "missing";
  if (action === "delete") return edited ? "stale, and edited by hand" : "stale";
  return edited ? "edited by hand" : "changed";
};

/** Lines shown of each diff without `--full`. */
const SHOWN = 40;

const shorten = (lines: readonly string[], full: boolean): readonly string[] =>
  full || lines.length <= SHOWN
    ? lines
    : [...lines.slice(0, SHOWN), out.dim(`… ${lines.length - SHOWN} more lines (--full shows them)`)];

const paint = (line: string): string => {
  if (line.startsWith("+")) return out.green(line);
  if (line.startsWith("-")) return out.red(line);
  return line.startsWith("@@") ? out.cyan(line) : line;
};

/** A unified diff from the file on disk to the one that would be generated; `name` is the file's name in it. */
const differenceOf = ({ before, after }: PlannedFile, name: string): string => {
  const from = before === undefined ? "/dev/null" : `a/${name}`;
  const to = after === undefined ? "/dev/null" : `b/${name}`;
  const patch = structuredPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
  return formatPatch(patch).replace(/^=+\n/, "");
};

const print = (project: Project, file: PlannedFile, full: boolean): void => {
  const name = `${project.name}/${file.path}`;
  const lines = differenceOf(file, name).trimEnd().split("\n").map(paint);
  say(`${out.bold(name)}: ${stateOf(file)}\n${shorten(lines, full).join("\n")}\n`);
};

const describeLag = (migration: FolderPlan): string =>
  migration.kind === "planned"
    ? `the committed migrations lag behind the schema: one is missing, such as ${migration.migration.name}. Run "cms generate" and commit the result`
    : (refusalOf(migration) ?? "");

/** Prints the differences, unless the result is printed as JSON; returns whether there are any. */
export const reportDrift = (
  project: Project,
  plan: OutputPlan,
  migration: FolderPlan,
  { full, json }: GenerateFlags,
): boolean => {
  const changes = changesOf(plan);
  const interrupted = isInterrupted(project.folder);
  const lags = migration.kind !== "unchanged";
  if (json) return changes.length > 0 || interrupted || lags;
  for (const file of changes) print(project, file, full === true);
  if (interrupted) say(`${project.name}: an earlier run was interrupted`);
  if (lags) say(`${project.name}/migrations: ${describeLag(migration)}`);
  if (changes.length === 0 && !interrupted) return lags;
  const files = changes.length === 1 ? "1 file differs" : `${changes.length} files differ`;
  say(`${files}: run "cms generate" and commit the result`);
  return true;
};
