/** `cms init [dir]`: the few files that a new project starts with. */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { completeManifest } from "../packages/complete-manifest.ts";
import { isInstalled, neededPackages } from "../packages/imported-packages.ts";
import { packageManagerOf } from "../packages/package-manager.ts";
import { CommandError } from "./exit-codes.ts";
import { rootOf } from "./global-options.ts";
import { gitAttributes, ignored, starterFiles, starterScripts } from "./starter-files.ts";
import { out } from "./terminal.ts";

export const configure = (command: Command): void => {
  command.argument("[dir]", "folder of the new project", ".").action(async (dir: string) => {
    const folder = path.resolve(rootOf(command), dir);
    process.stdout.write(report(folder, await init(folder)));
  });
};

const MANIFEST = "package.json";

/** What an existing file lacks. */
interface Completion {
  readonly text: string;
  /** In words; nothing where it has everything. */
  readonly added: readonly string[];
  /** Whether packages are among it. */
  readonly toInstall?: boolean;
}

interface Begun {
  /** Files that were not there. */
  readonly written: readonly string[];
  /** What was added to files that were there. */
  readonly completed: readonly (readonly [name: string, added: readonly string[]])[];
  /** Files that are there and stay as they are. */
  readonly kept: readonly string[];
  readonly toInstall: boolean;
}

/** A package of scripts that Node takes for CommonJS stays one. */
const mayBeModule = (folder: string, text: string): boolean =>
  !/"(?:main|bin|exports)"\s*:/.test(text) && !readdirSync(folder).some((name) => name.endsWith(".js"));

/** @throws CommandError where it is not what it is called */
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

/** However it is written: `/.cms/` leaves out `.cms` as well. */
const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, "");

const completeLines = (text: string, wanted: readonly string[]): Completion => {
  const present = new Set(text.split(/\r?\n/).map(bare));
  const added = wanted.filter((line) => !present.has(bare(line)));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return { text: `${text}${end}${added.map((line) => `${line}\n`).join("")}`, added };
};

/** Files that may be there, and what is done to them then. */
const completions: Readonly<Record<string, (text: string, folder: string) => Completion>> = {
  [MANIFEST]: completePackage,
  ".gitignore": (text) => completeLines(text, ignored),
  ".gitattributes": (text) => completeLines(text, gitAttributes),
};

/** Files of which a project may have one of its own. */
const MAY_STAY: ReadonlySet<string> = new Set(["tsconfig.json"]);

/** Writes what is missing and completes what is there. Refuses where a project is begun already. */
const init = async (folder: string): Promise<Begun> => {
  const files = starterFiles(path.basename(folder), neededPackages());
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
    await writeFile(file, content, { flag: "wx" });
  }
  const changed = completed.filter(([, { added }]) => added.length > 0);
  return {
    written: missing.map(([name]) => name),
    completed: changed.map(([name, { added }]) => [name, added]),
    kept: present.filter((name) => !changed.some(([other]) => other === name)),
    toInstall: !present.includes(MANIFEST) || changed.some(([, { toInstall }]) => toInstall) || !isInstalled(folder),
  };
};

const report = (folder: string, { written, completed, kept, toInstall }: Begun): string => {
  const away = path.relative(process.cwd(), folder);
  const { install, run } = packageManagerOf(folder);
  const steps = [
    ...(away === "" ? [] : [`cd ${away}`]),
    ...(toInstall ? [install] : []),
    ...["generate", "migrate", "permissions apply", "start"].map((words) => `${run} cms ${words}`),
  ];
  return [
    ...written.map((name) => `${out.green("+")} ${name}`),
    ...completed.map(([name, added]) => `${out.yellow("~")} ${name}: added ${added.join(", ")}`),
    ...kept.map((name) => `  ${name} stays as it is`),
    "",
    "Next:",
    ...steps.map((step) => `  ${out.bold(step)}`),
    "",
    "Then ask http://localhost:1337/api/articles, and edit content-types/article/schema.json.",
    `While you work, ${out.bold(`${run} cms dev`)} does all of it again on every change.`,
    "",
  ].join("\n");
};
