/** The inputs of a run, as digests that change with any of them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { installation, installedVersions } from "../../../runtime/app/loader/installation.ts";
import { packageFolder } from "../../../runtime/base/package-folder.ts";
import { tracesOf } from "../../migrate/history/current.ts";
import { migrationsFolder, namesIn } from "../../migrate/migration.ts";
import { digestOf } from "../../rendered/digest.ts";
import { type FoundFile, findSchemaFiles } from "../../schema/find.ts";
import { foreignCode } from "../../schema/foreign-code.ts";
import type { GenerateFlags } from "./flags.ts";
import type { Project } from "./project.ts";

/** The inputs that a run is about to read. */
export type Inputs = NonNullable<ReturnType<typeof readInputs>>;

const templates = (): readonly string[] => {
  const folder = path.join(packageFolder(), "templates");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".hbs"));
  return files.toSorted().flatMap((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
};

/** The digest of all our own files that take part in generating. */
export const toolchain = (): string => digestOf([installation(), ...templates()]);

/** Every shell sets these anew, and project code does not depend on them. */
const OF_SHELLS = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);

/** The digest of the environment, which project code may read, and of the installed packages, which it may import. */
export const environment = (root: string): string => {
  const variables = Object.entries(process.env).filter(([name]) => !OF_SHELLS.has(name));
  const sorted = variables.toSorted(([a], [b]) => (a < b ? -1 : 1)).map((variable) => variable.join("="));
  return digestOf([...sorted, ...(existsSync(path.join(root, "package.json")) ? installedVersions(root) : [])]);
};

/** The folders on the way from a file up to `top`. */
const foldersOf = (files: readonly string[], top: string): ReadonlySet<string> => {
  const found = new Set([top]);
  for (const file of files)
    for (let folder = path.dirname(file); folder.length > top.length; folder = path.dirname(folder)) found.add(folder);
  return found;
};

/** Whether the flags ask only to write what changed. */
const isPlain = (flags: GenerateFlags): boolean =>
  Object.entries(flags).every(([name, value]) => name === "from" || name === "json" || value === undefined);

const isExtended = (found: FoundFile): boolean => found.kind === "contentType" && found.extended;

/**
 * The inputs of a run that begins now; undefined if only a full run can tell.
 *
 * @param known the digest of the environment when the run began, as project code may have changed it since
 */
export const readInputs = (project: Project, flags: GenerateFlags, known?: string) => {
  const startedAt = Date.now();
  const { root, from, folder } = project;
  const found = findSchemaFiles(from);
  if (!isPlain(flags) || found.length === 0) return undefined;
  const schemas = found.flatMap((each) => [
    JSON.stringify(each),
    each.kind === "contentType" || each.kind === "component" ? readFileSync(each.path, "utf8") : "",
  ]);
  const warned = foreignCode({ root, from });
  const migrations = migrationsFolder(folder);
  const files = found.map((each) => each.path);
  const places = [...files, ...foldersOf(files, from)];
  const hasCode = project.app !== undefined || found.some((each) => each.kind === "extension" || isExtended(each));
  const readable = known ?? (hasCode ? environment(root) : "");
  const given = [toolchain(), readable, JSON.stringify([project, warned])];
  const sources = digestOf([...given, ...schemas]);
  return {
    digest: digestOf([sources, ...tracesOf(migrations, namesIn(migrations))]),
    /** The same without the migrations, to which a run may add. */
    sources,
    /** The digest of the environment, if project code may read it. */
    environment: readable,
    /** Whether a file or folder was modified after the run began, so that the run may have read something else. */
    isYoung: places.some((place) => statSync(place).mtimeMs >= startedAt),
  };
};
