/** One run of `cms generate`: loads, renders, plans, and then writes, checks or prints. */
import {
  comparedBy,
  type FolderPlan,
  type MigrationInput,
  planFor,
  refusalOf,
  writeMigration,
} from "../../migrate/migration.ts";
import type { Concern } from "../../migrate/step.ts";
import type { Model } from "../../model/model.ts";
import { knowsShared, rememberShared } from "../../output/generated-here.ts";
import { Memory } from "../../output/memory.ts";
import { changesOf, type OutputFile, type OutputPlan, planOutput } from "../../output/plan.ts";
import { demandWritable, recover, writeOutput } from "../../output/write.ts";
import { missingPackages } from "../../packages/imported-packages.ts";
import { digestOf } from "../../rendered/digest.ts";
import { CommandError, exitCodes, refuseFor } from "../exit-codes.ts";
import { type Answer, askApplied, inReach } from "../migrate/applied.ts";
import { inPlaceOf } from "../migrate/set-aside.ts";
import { alone } from "./alone.ts";
import type { GenerateFlags } from "./flags.ts";
import { writeGitAttributes } from "./git-attributes.ts";
import { type Inputs, toolchain } from "./inputs.ts";
import { loadModel } from "./load-model.ts";
import type { Outcome } from "./outcome.ts";
import type { Project } from "./project.ts";
import { type Rendered, renderAll } from "./render.ts";
import { findReplaceable, ownOnly } from "./replaceable.ts";
import { noteRun } from "./unchanged.ts";

/** Refuses to replace a migration that somebody edited. */
const refuseEdited = ({ files }: OutputPlan, { name }: Project): void => {
  const edited = files.filter((file) => file.edited).map(({ path }) => `${name}/${path}`);
  refuseFor(
    `${edited.length === 1 ? "this generated file was" : "these generated files were"} edited by hand:`,
    edited,
    "nothing was written. Move the changes to an extension.ts beside the schema file, which the generator never",
    'touches, and discard them here; "cms generate --force" overwrites them. After a merge of two branches it is',
    '"cms migrate rebase" that makes them anew.',
  );
};

const GENERATE = "cms generate";

interface How {
  readonly ask?: () => Promise<Answer>;
  readonly adds?: boolean;
  /** The command that was called, to suggest what to call instead. */
  readonly command?: string;
  /** Whether the database has applied any of it. Then harmless losses need no permission: see `allowEmpty`. */
  readonly holds?: (concerns: readonly Concern[]) => Promise<boolean>;
  /** Whether the same commit is still checked out: otherwise the input may come from another branch. */
  readonly isStill?: () => boolean;
  /** Receives what was read of the project, for callers whose next run needs it. */
  readonly inputs?: Inputs | undefined;
}

interface Run {
  readonly project: Project;
  readonly flags: GenerateFlags;
  readonly how: How;
  readonly memory: Memory;
}

const quoted = (word: string): string => (/^[\w.:/-]+$/.test(word) ? word : `'${word}'`);

/** The command line as given, to which `--allow` can be appended. */
const withFlags = (command: string, { from, force, name, expand, contract, allow = [] }: GenerateFlags): string => {
  const own = [
    ...(from === undefined ? [] : ["--from", from]),
    ...(force ? ["--force"] : []),
    ...(name === undefined ? [] : ["--name", name]),
    ...(expand ? ["--expand"] : []),
    ...(contract ? ["--contract"] : []),
  ];
  const given = [...(command === GENERATE ? own : []), ...(allow.length === 0 ? [] : ["--allow", ...allow])];
  return [command, ...given.map(quoted)].join(" ");
};

/** What would block the migration in the reachable database, and what lacks a value that it requires. */
const findStops = async ({ root }: Project, concerns: readonly Concern[]): Promise<readonly string[]> => {
  const stopping = concerns.filter(({ stops, becomes }) => stops !== undefined || becomes === "leaves");
  if (stopping.length === 0) return [];
  const { count, describe } = await import("../migrate/count.ts");
  // Without an answer, `cms migrate` reports it.
  const found = await inReach(root, (database) => count(database, stopping)).catch(() => undefined);
  return (found ?? []).map(describe);
};

/** The paths below the output folder that a run changes. */
const toBeWritten = (plan: OutputPlan, migrations: FolderPlan): readonly string[] => {
  const changed = changesOf(plan).map(({ path }) => path);
  return migrations.kind === "planned" ? [...changed, `migrations/${migrations.migration.name}`] : changed;
};

/** Writes the migration and removes those that it replaces. */
const writePlanned = async (
  project: Project,
  plan: FolderPlan,
): Promise<Pick<Outcome, "migration" | "proposals" | "replaced">> => {
  const migration = plan.kind === "planned" ? plan.migration : undefined;
  const proposals = plan.kind === "planned" ? plan.proposals : [];
  if (!("replaced" in plan)) {
    if (migration) writeMigration(project.folder, migration);
    return { migration, proposals };
  }
  const { place: kept } = await inPlaceOf(project, plan.replaced, () => {
    if (migration) writeMigration(project.folder, migration);
  });
  return { migration, proposals, replaced: { names: plan.replaced, kept } };
};

/**
 * Writes what the schema files ask for. The outcome carries diagnostics; a refusal is thrown as a CommandError.
 *
 * @param how `ask` tells which migrations databases have, if one could be replaced; with `adds` none is replaced
 */
export const generate = async (project: Project, flags: GenerateFlags, how: How = {}): Promise<Outcome> => {
  const work = (): Promise<Outcome> => generateNow(project, flags, how);
  return flags.check ? await work() : await alone(project.root, how.command ?? GENERATE, work);
};

/**
 * Allows a harmless loss: of something that only this branch added, so that no other database has content there, and
 * that is empty in its own database. Anything that others have needs permission, however empty it is here.
 */
const allowEmpty = async (
  project: Project,
  input: MigrationInput,
  plan: FolderPlan,
  holds: How["holds"],
): Promise<FolderPlan> => {
  if (plan.kind !== "refused" || holds === undefined) return plan;
  const flags = plan.risks.flatMap(({ flag }) => flag ?? []);
  if (flags.length < plan.risks.length) return plan;
  const replaceable = async (newest: readonly string[]) => ownOnly(project, newest);
  const sinceShared = await planFor({ ...input, replaceable });
  if (!("replaced" in sinceShared)) return plan;
  // Texts that hold more than defaults may all be what the new type would write.
  const exact = flags.map((flag) => flag.replace(/^drop:/, "narrow:"));
  for (const more of [flags, [...flags, ...exact]]) {
    const allowed = await planFor({ ...input, allow: [...input.allow, ...more] });
    if (allowed.kind === "planned" && !(await holds(allowed.concerns))) return allowed;
  }
  return plan;
};

const MIGRATIONS = "migrations";

const comparison = (input: MigrationInput): string => digestOf([toolchain(), comparedBy(input)]);

/** The migration, and why it is added instead of merged, if that needs explaining. */
const planMigrations = async (
  { project, flags, how: { ask = () => askApplied(project.root), adds = false, holds }, memory }: Run,
  model: Model,
  { rendered, tables }: Rendered,
) => {
  let note: string | undefined;
  const input: MigrationInput = {
    ...project,
    model,
    rendered,
    exported: tables,
    allow: flags.allow ?? [],
    phase: phaseOf(flags),
    named: flags.name,
    async replaceable(newest) {
      if (flags.check || adds) return [];
      const found = await findReplaceable(project, newest, ask);
      note = found.note;
      return found.names;
    },
  };
  const isCompared = memory.recall(MIGRATIONS, comparison(input)) !== undefined;
  const plan = isCompared && input.phase === undefined ? { kind: "unchanged" as const } : await planFor(input);
  return { plan: await allowEmpty(project, input, plan, holds), note, input };
};

/** Writes what was planned, or says why nothing may be written. */
const write = async (
  { project, flags, how: { command = GENERATE, isStill = () => true }, memory }: Run,
  rendered: readonly OutputFile[],
  plan: OutputPlan,
  { plan: migrations, note, input }: Awaited<ReturnType<typeof planMigrations>>,
): Promise<Omit<Outcome, "exitCode" | "diagnostics" | "plan" | "milliseconds">> => {
  if (!isStill()) throw new CommandError("nothing was written: another branch was checked out meanwhile");
  if (!flags.force) refuseEdited(plan, project);
  const refusal = refusalOf(migrations, withFlags(command, flags));
  if (refusal !== undefined) throw new CommandError(refusal);
  demandWritable(project.folder, toBeWritten(plan, migrations));
  rememberShared(project.root, rendered);
  writeOutput(project.folder, plan);
  if (changesOf(plan).length > 0) writeGitAttributes(project.folder);
  const written = await writePlanned(project, migrations);
  // The migrations now cover all that the schema asks for.
  if (input.phase === undefined) memory.remember(MIGRATIONS, comparison(input), { files: [] });
  const stops = migrations.kind === "planned" ? await findStops(project, migrations.concerns) : [];
  return { ...written, note, stops, missing: missingPackages(project.folder, rendered) };
};

const generateNow = async (project: Project, flags: GenerateFlags, how: How): Promise<Outcome> => {
  const memory = new Memory(project.root, project.folder, flags.check);
  const run: Run = { project, flags, how, memory };
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  if (!flags.check) recover(project.folder);
  const { model, diagnostics } = await loadModel(project);
  if (model === undefined)
    return { exitCode: exitCodes.refused, diagnostics, plan: undefined, milliseconds: elapsed() };
  const files = await renderAll(model, project, memory);
  const { rendered } = files;
  if (flags.verify) await verify(project, rendered);
  const plan = planOutput(project.folder, rendered, knowsShared(project.root, project.folder));
  const planned = await planMigrations(run, model, files);
  if (flags.check) {
    const { reportDrift } = await import("./check.ts");
    const drifted = reportDrift(project, plan, planned.plan, flags);
    const exitCode = drifted ? exitCodes.drift : exitCodes.fine;
    return { exitCode, diagnostics, plan, checked: true, milliseconds: elapsed() };
  }
  const written = await write(run, rendered, plan, planned);
  const outcome = { exitCode: exitCodes.fine, diagnostics, plan, ...written, milliseconds: elapsed() };
  noteRun(memory, project, flags, how.inputs, outcome, files.own);
  memory.save();
  return outcome;
};

const phaseOf = ({ expand, contract }: GenerateFlags): "expand" | "contract" | undefined => {
  if (expand && contract) throw new CommandError("--expand begins a rename and --contract ends it: one at a time");
  if (expand) return "expand";
  return contract ? "contract" : undefined;
};

const verify = async (project: Project, rendered: readonly OutputFile[]): Promise<void> => {
  const { verifyTypes } = await import("./verify.ts");
  const faults = verifyTypes(project, rendered);
  if (faults !== "")
    throw new CommandError(`the generated code does not compile; nothing was written\n${faults}`, exitCodes.bug);
};
