/** Which migrations `cms generate` may replace: those that neither the main branch nor any database has. */
import { migrationsFolder } from "../../migrate/migration.ts";
import type { Answer } from "../migrate/applied.ts";
import { sharedByGit } from "../migrate/main-branch.ts";
import type { Project } from "./project.ts";

export interface Replaceable {
  readonly names: readonly string[];
  /** Why a new migration is added instead of replacing one; undefined if there is nothing to explain. */
  readonly note?: string;
}

/** The trailing `names` of which none is in `kept`. */
const after = (names: readonly string[], isKept: (name: string) => boolean): readonly string[] =>
  names.slice(names.findLastIndex(isKept) + 1);

/** Those of `newest` that only this branch has, whatever databases have applied. */
export const ownOnly = (project: Pick<Project, "folder">, newest: readonly string[]): readonly string[] => {
  const isShared = sharedByGit(migrationsFolder(project.folder));
  return isShared === undefined ? [] : after(newest, isShared);
};

const add = (name: string, why: string): string =>
  `${name} stays, because ${why}; once both are applied, \`cms migrate squash\` makes one of them`;

/** Those of `newest` that neither has. */
export const findReplaceable = async (
  project: Pick<Project, "folder">,
  newest: readonly string[],
  ask: () => Promise<Answer>,
): Promise<Replaceable> => {
  const own = ownOnly(project, newest);
  const last = own.at(-1);
  if (last === undefined) return { names: [] };
  const { names: applied, unknown } = await ask();
  if (unknown !== undefined) return { names: [], note: add(last, `it may be applied: ${unknown}`) };
  const names = after(own, (name) => applied.has(name));
  const kept = own.findLast((name) => applied.has(name));
  return { names, ...(kept === undefined ? {} : { note: add(kept, "a database has it applied") }) };
};
