/** `cms init [dir]`: the few files that a new project starts with. */
import path from "node:path";
import type { Command } from "commander";
import { neededPackages } from "../packages/imported-packages.ts";
import { packageManagerOf } from "../packages/package-manager.ts";
import { rootOf } from "./global-options.ts";
import { begin, type Begun } from "./init/begin.ts";
import { starterFiles } from "./starter-files.ts";
import { out } from "./terminal.ts";

export const configure = (command: Command): void => {
  command.argument("[dir]", "folder of the new project", ".").action(async (dir: string) => {
    const folder = path.resolve(rootOf(command), dir);
    const begun = await begin(folder, starterFiles(path.basename(folder), neededPackages()));
    process.stdout.write(report(folder, begun));
  });
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
