/** Writes the files that a project starts with, and completes existing ones. */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { completeManifest, type Completion } from "../../packages/complete-manifest.ts";
import { isInstalled, neededPackages } from "../../packages/imported-packages.ts";
import { CommandError } from "../exit-codes.ts";
import { CONTAINER_SECRETS, dockerIgnored, gitAttributes, ignored, starterScripts } from "../starter-files.ts";

const MANIFEST = "package.json";

/** A package with scripts that Node treats as CommonJS stays CommonJS. */
const mayBeModule = (folder: string, text: string): boolean =>
  !/"(?:main|bin|exports)"\s*:/.test(text) && !readdirSync(folder).some((name) => name.endsWith(".js"));

/** @throws CommandError if the path is not what its name says */
const completePackage = (text: string, folder: string): Completion => {
  const completed = completeManifest(text, {
    type: mayBeModule(folder, text) ? "module" : undefined,
    scripts: starterScripts,
    dependencies: neededPackages(),
  });
  if (completed === undefined)
    throw new CommandError(`${path.join(folder, MANIFEST)} is not a package's JSON. Nothing was written.`);
  return completed;
};

/** However it is written: `/.cms/` ignores `.cms` as well. */
const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, "");

const completeLines = (text: string, wanted: readonly string[]): Completion => {
  const present = new Set(text.split(/\r?\n/).map(bare));
  const added = wanted.filter((line) => line !== "" && !line.startsWith("#") && !present.has(bare(line)));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return { text: `${text}${end}${added.map((line) => `${line}\n`).join("")}`, added, toInstall: false };
};

/** Files that may already exist, and what to do then. */
const completions: Readonly<Record<string, (text: string, folder: string) => Completion>> = {
  [MANIFEST]: completePackage,
  ".gitignore": (text) => completeLines(text, ignored),
  ".gitattributes": (text) => completeLines(text, gitAttributes),
  ".dockerignore": (text) => completeLines(text, dockerIgnored()),
};

/** Files that a project may have in its own form. */
const MAY_STAY: ReadonlySet<string> = new Set([
  "tsconfig.json",
  "drizzle.config.ts",
  "Dockerfile",
  "compose.yaml",
  CONTAINER_SECRETS,
]);

/**
 * Writes missing files and completes existing ones.
 *
 * @param files their content by path
 * @throws CommandError if an existing file can be neither kept nor completed
 */
export const begin = async (folder: string, files: Readonly<Record<string, string>>) => {
  const present = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  const inTheWay = present.filter((name) => !(name in completions || MAY_STAY.has(name)));
  if (inTheWay.length > 0) {
    throw new CommandError(
      `${folder} already has ${inTheWay.join(", ")}. Nothing was written: use an empty folder, or move ${inTheWay.length === 1 ? "it" : "them"} away.`,
    );
  }
  const completed: [name: string, completion: Completion][] = [];
  for (const name of present) {
    const complete = completions[name];
    if (complete) completed.push([name, complete(await readFile(path.join(folder, name), "utf8"), folder)]);
  }
  for (const [name, { text, added }] of completed) if (added.length > 0) await writeFile(path.join(folder, name), text);
  const missing = Object.entries(files).filter(([name]) => !present.includes(name));
  for (const [name, content] of missing) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx", mode: name === CONTAINER_SECRETS ? 0o600 : 0o666 });
  }
  const changed = completed.filter(([, { added }]) => added.length > 0);
  return {
    /** Files that did not exist. */
    written: missing.map(([name]) => name),
    /** What was added to existing files. */
    completed: changed.map(([name, { added }]) => [name, added] as const),
    /** Existing files that were left as they are. */
    kept: present.filter((name) => !changed.some(([other]) => other === name)),
    toInstall:
      missing.some(([name]) => name === MANIFEST) ||
      changed.some(([, { toInstall }]) => toInstall) ||
      !isInstalled(folder),
  };
};

export type Begun = Awaited<ReturnType<typeof begin>>;
