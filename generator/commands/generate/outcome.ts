/** The outcome of a run, and how it is reported. */
import type { LocatedDiagnostic } from "../../diagnostics/positions.ts";
import { diagnosticsToJson, printDiagnostics } from "../../diagnostics/print.ts";
import { likely } from "../../migrate/migration.ts";
import type { PlannedMigration } from "../../migrate/plan.ts";
import { breaksOf, overlookedIn } from "../../migrate/report/write-sql.ts";
import { changesOf, type OutputPlan, type PlannedFile } from "../../output/plan.ts";
import { packageManagerOf } from "../../packages/package-manager.ts";
import { err, out, say } from "../terminal.ts";
import type { Project } from "./project.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly diagnostics: readonly LocatedDiagnostic[];
  /** Undefined if errors prevented it. */
  readonly plan: OutputPlan | undefined;
  /** The migration that was written. */
  readonly migration?: PlannedMigration | undefined;
  /** Possible renames that the schema does not declare. */
  readonly proposals?: readonly string[];
  /** Migrations that it replaced, and where they are kept. */
  readonly replaced?: { readonly names: readonly string[]; readonly kept: string };
  /** What would block the migration in the reachable database. */
  readonly stops?: readonly string[];
  /** Why it was added instead of replacing another. */
  readonly note?: string | undefined;
  /** Packages that the files import and the project cannot resolve, as `name@version`. */
  readonly missing?: readonly string[];
  readonly milliseconds: number;
  /** Whether there was nothing to write. */
  readonly checked?: true;
}

/** What a run did to files, or what `--check` found without writing; with the marker for each line. */
const actions = {
  create: { done: "created", found: "missing", mark: out.green("+") },
  update: { done: "updated", found: "changed", mark: out.yellow("~") },
  delete: { done: "deleted", found: "stale", mark: out.red("-") },
  keep: { done: "unchanged", found: "as generated", mark: " " },
} as const;

/** `12 created, 3 updated, 61 unchanged`. */
const summary = (files: readonly PlannedFile[], kind: "done" | "found"): string =>
  Object.entries(actions)
    .map(([action, words]) => [files.filter((file) => file.action === action).length, words[kind]] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(", ");

/** How many changed files to list by name. */
const LISTED = 20;

/** Says which packages the project must declare, and how; "" if none is missing. */
const missingText = (missing: readonly string[], { folder, name }: Printed): string =>
  missing.length === 0
    ? ""
    : [
        `${err.yellow("warning")} files in ${name}/ import ${missing.join(" and ")}, which this project does not find:`,
        "  the server runs, but editors and type checks cannot read these files. Add what is missing:",
        `  ${err.bold(`${packageManagerOf(folder).add} ${missing.join(" ")}`)}`,
        "",
      ].join("\n");

/** The output folder: its path, and its name in messages. */
type Printed = Pick<Project, "folder" | "name">;

/** Prints diagnostics and warnings to stderr, the result to stdout. */
export const printOutcome = (outcome: Outcome, project: Printed): void => {
  const {
    plan,
    migration,
    replaced,
    note,
    proposals = [],
    stops: found = [],
    diagnostics,
    missing = [],
    milliseconds,
  } = outcome;
  const { name } = project;
  process.stderr.write(printDiagnostics(diagnostics, err));
  if (plan === undefined) return;
  const changes = changesOf(plan);
  const listed = changes.length <= LISTED && !outcome.checked ? changes : [];
  for (const { path, action } of listed) say(`${actions[action].mark} ${name}/${path}`);
  for (const each of replaced?.names ?? [])
    say(`${actions.delete.mark} ${name}/migrations/${each}/ (kept in ${replaced?.kept ?? ""})`);
  if (migration) {
    const stops = breaksOf(migration.files["up.sql"]).length > 0;
    say(`${actions.create.mark} ${name}/migrations/${migration.name}/ (read up.sql, then "cms migrate")`);
    for (const each of overlookedIn(migration.files["up.sql"])) say(`  processes of the older build ${each}`);
    for (const line of likely(proposals) ?? []) say(`  ${line}`);
    for (const line of found) say(`  cms migrate ${line}`);
    if (note !== undefined) say(`  ${note}`);
    if (stops) say("  processes of the older build fail with it: stop them first");
  }
  say(`${name}: ${summary(plan.files, outcome.checked ? "found" : "done")} (${Math.round(milliseconds)} ms)`);
  process.stderr.write(missingText(missing, project));
};

/** The same in machine-readable form. */
export const outcomeToJson = ({
  plan,
  migration,
  replaced,
  diagnostics,
  missing = [],
  exitCode,
  milliseconds,
}: Outcome): string =>
  JSON.stringify(
    {
      exitCode,
      milliseconds: Math.round(milliseconds),
      diagnostics: diagnosticsToJson(diagnostics),
      ...(migration ? { migration: migration.name } : {}),
      ...(replaced ? { replacedMigrations: replaced.names } : {}),
      ...(missing.length > 0 ? { missingPackages: missing } : {}),
      files: plan?.files.map(({ path, action, edited }) => ({ path, action, ...(edited ? { edited } : {}) })) ?? [],
    },
    null,
    2,
  );
