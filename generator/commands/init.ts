/** `cms init [dir]`: the few files that a new project starts with. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { CommandError } from "./exit-codes.ts";
import { rootOf } from "./global-options.ts";
import { packageVersion } from "./package-version.ts";
import { starterFiles } from "./starter-files.ts";
import { out } from "./terminal.ts";

export const configure = (command: Command): void => {
  command.argument("[dir]", "folder of the new project", ".").action(async (dir: string) => {
    const folder = path.resolve(rootOf(command), dir);
    const written = await init(folder);
    process.stdout.write(report(folder, written));
  });
};

/** Writes what is missing; returns the names of the files. Refuses when a file other than package.json is there. */
const init = async (folder: string): Promise<readonly string[]> => {
  const files = starterFiles(path.basename(folder), packageVersion());
  const present = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  const inTheWay = present.filter((name) => name !== "package.json");
  if (inTheWay.length > 0) {
    throw new CommandError(
      `${folder} already has ${inTheWay.join(", ")}. Nothing was written: use an empty folder, or move ${inTheWay.length === 1 ? "it" : "them"} away.`,
    );
  }
  const missing = Object.entries(files).filter(([name]) => !present.includes(name));
  for (const [name, content] of missing) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
  return missing.map(([name]) => name);
};

const report = (folder: string, written: readonly string[]): string => {
  const away = path.relative(process.cwd(), folder);
  const steps = [
    ...(away === "" ? [] : [`cd ${away}`]),
    ...(written.includes("package.json") ? ["npm install"] : []),
    "npx cms generate",
    "npx cms migrate",
    "npx cms permissions apply",
    "npx cms start",
  ];
  return [
    ...written.map((name) => `${out.green("+")} ${name}`),
    "",
    "Next:",
    ...steps.map((step) => `  ${out.bold(step)}`),
    "",
    "Then ask http://localhost:1337/api/articles, and edit content-types/article/schema.json.",
    `While you work, ${out.bold("npx cms dev")} does all of it again on every change.`,
    "",
  ].join("\n");
};
