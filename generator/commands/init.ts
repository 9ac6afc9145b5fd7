/** `cms init [dir]`: the few files that a new project starts with. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { completeManifest } from "../packages/complete-manifest.ts";
import { isInstalled, neededPackages } from "../packages/imported-packages.ts";
import { packageManagerOf } from "../packages/package-manager.ts";
import { CommandError } from "./exit-codes.ts";
import { rootOf } from "./global-options.ts";
import { starterFiles } from "./starter-files.ts";
import { out } from "./terminal.ts";

export const configure = (command: Command): void => {
  command.argument("[dir]", "folder of the new project", ".").action(async (dir: string) => {
    const folder = path.resolve(rootOf(command), dir);
    process.stdout.write(report(folder, await init(folder)));
  });
};

const MANIFEST = "package.json";

interface Begun {
  /** Files that were not there. */
  readonly written: readonly string[];
  /** Packages that an existing package.json did not declare. */
  readonly added: readonly string[];
}

/** Writes what is missing and completes package.json. Refuses when another of the files is there. */
const init = async (folder: string): Promise<Begun> => {
  const files = starterFiles(path.basename(folder), neededPackages());
  const present = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  const inTheWay = present.filter((name) => name !== MANIFEST);
  if (inTheWay.length > 0) {
    throw new CommandError(
      `${folder} already has ${inTheWay.join(", ")}. Nothing was written: use an empty folder, or move ${inTheWay.length === 1 ? "it" : "them"} away.`,
    );
  }
  const added = present.includes(MANIFEST) ? await declarePackages(path.join(folder, MANIFEST)) : [];
  const missing = Object.entries(files).filter(([name]) => !present.includes(name));
  for (const [name, content] of missing) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
  return { written: missing.map(([name]) => name), added };
};

/** Adds the packages that a package.json does not declare; returns their names. */
const declarePackages = async (file: string): Promise<readonly string[]> => {
  const completed = completeManifest(await readFile(file, "utf8"), neededPackages());
  if (completed === undefined) throw new CommandError(`${file} is not a package's JSON. Nothing was written.`);
  if (completed.added.length > 0) await writeFile(file, completed.text);
  return completed.added;
};

const report = (folder: string, { written, added }: Begun): string => {
  const away = path.relative(process.cwd(), folder);
  const { install, run } = packageManagerOf(folder);
  const toInstall = written.includes(MANIFEST) || added.length > 0 || !isInstalled(folder);
  const steps = [
    ...(away === "" ? [] : [`cd ${away}`]),
    ...(toInstall ? [install] : []),
    ...["generate", "migrate", "permissions apply", "start"].map((words) => `${run} cms ${words}`),
  ];
  return [
    ...written.map((name) => `${out.green("+")} ${name}`),
    ...(added.length > 0 ? [`${out.yellow("~")} ${MANIFEST} (${added.join(", ")})`] : []),
    "",
    "Next:",
    ...steps.map((step) => `  ${out.bold(step)}`),
    "",
    "Then ask http://localhost:1337/api/articles, and edit content-types/article/schema.json.",
    `While you work, ${out.bold(`${run} cms dev`)} does all of it again on every change.`,
    "",
  ].join("\n");
};
