/** `cms migrate squash`: makes one migration of those that only this branch has. */
import { REPLACES } from "../../../runtime/database/migrations/files.ts";
import { emit } from "../../emit/emit.ts";
import { migrationsFolder, planSquash, writeMigration } from "../../migrate/migration.ts";
import { tableFilesIn } from "../../rendered/table-files.ts";
import { CommandError } from "../exit-codes.ts";
import { loadModel } from "../generate/load-model.ts";
import { openSources, type Project } from "../generate/project.ts";
import { ownOnly } from "../generate/replaceable.ts";
import { out, say } from "../terminal.ts";
import { askApplied, type Names } from "./applied.ts";
import { sharedByGit } from "./main-branch.ts";
import { inPlaceOf } from "./set-aside.ts";

export interface SquashFlags {
  readonly from?: string;
  readonly name?: string;
}

/** Databases that have only some of them could go neither forward nor back. */
const refuseHalf = (names: readonly string[], applied: Names): string | undefined => {
  const open = names.filter((name) => !applied.has(name));
  return open.length === 0 || open.length === names.length
    ? undefined
    : `${open.join(", ")} ${open.length === 1 ? "is" : "are"} not applied to this database, and the others are: run \`cms migrate\` first`;
};

/**
 * Squashes the newest migrations that `choose` leaves. Databases that have applied them mark the new one as applied at
 * the next `cms migrate`.
 *
 * @returns the name of the new one (undefined if they cancelled each other out), those that it replaces and where they
 * are kept; or why it cannot be done
 */
export const squash = async (
  project: Project,
  applied: Names,
  choose: (newest: readonly string[]) => readonly string[],
  named?: string,
) => {
  const { model } = await loadModel(project);
  if (model === undefined) return { reason: "the schema files have errors: see `cms generate`" };
  let half: string | undefined;
  const plan = await planSquash({
    ...project,
    model,
    rendered: emit(model, project, tableFilesIn),
    allow: [],
    named,
    async replaceable(newest) {
      const names = choose(newest);
      half = refuseHalf(names, applied);
      return half === undefined ? names : [];
    },
  });
  if (half !== undefined) return { reason: half };
  if ("reason" in plan) return plan;
  const { replaced } = plan;
  const isApplied = replaced.every((name) => applied.has(name));
  if (plan.kind === "withdrawn" && isApplied)
    return { reason: "together they change nothing: undo them with `cms migrate down`, and squash again" };
  const { place: kept } = await inPlaceOf(project, replaced, () => {
    if (plan.kind !== "planned") return;
    const { name, files } = plan.migration;
    writeMigration(project.folder, { name, files: { ...files, [REPLACES]: `${replaced.join("\n")}\n` } });
  });
  return { name: plan.kind === "planned" ? plan.migration.name : undefined, replaced, kept };
};

/** What `--from` asks for; migrations of the main branch are never touched. */
const chooseFrom =
  (project: Project, from: string) =>
  (newest: readonly string[]): readonly string[] => {
    if (!newest.includes(from)) {
      throw new CommandError(
        `"${from}" is not among the newest migrations that are as they were generated: ${newest.join(", ") || "none is"}`,
      );
    }
    const names = newest.slice(newest.indexOf(from));
    const shared = names.filter(sharedByGit(migrationsFolder(project.folder)) ?? (() => false));
    if (shared.length > 0)
      throw new CommandError(`the main branch or a tag has ${shared.join(", ")}: it stays as it is`);
    return names;
  };

const chooseOwn =
  (project: Project) =>
  (newest: readonly string[]): readonly string[] => {
    if (sharedByGit(migrationsFolder(project.folder)) === undefined) {
      throw new CommandError(
        "git does not tell which migrations the main branch has: name the first migration to combine with --from",
      );
    }
    return ownOnly(project, newest);
  };

export const runSquash = async (root: string, { from, name }: SquashFlags): Promise<void> => {
  const project = await openSources(root, undefined);
  const { names, unknown } = await askApplied(root);
  if (unknown !== undefined) process.stderr.write(`the database cannot be asked what it has applied: ${unknown}\n`);
  const choose = from === undefined ? chooseOwn(project) : chooseFrom(project, from);
  const squashed = await squash(project, names, choose, name);
  if ("reason" in squashed) throw new CommandError(`nothing was changed: ${squashed.reason}`);
  for (const each of squashed.replaced)
    say(`${out.red("-")} ${project.name}/migrations/${each}/ (kept in ${squashed.kept})`);
  if (squashed.name === undefined) return;
  say(
    `${out.green("+")} ${project.name}/migrations/${squashed.name}/\n` +
      "Databases that have applied them take it for applied: run `cms migrate` there.",
  );
};
