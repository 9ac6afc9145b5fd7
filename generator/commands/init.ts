/** `cms init [dir]`: writes the few files of a new project, and those of a container. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { configFile } from "../../runtime/app/loader/load-config.ts";
import { neededPackages } from "../packages/imported-packages.ts";
import { packageManagerOf } from "../packages/package-manager.ts";
import { rootOf } from "./global-options.ts";
import { begin, type Begun } from "./init/begin.ts";
import { CONTAINER_SECRETS, containerFiles, starterFiles } from "./starter-files.ts";
import { out } from "./terminal.ts";

interface Flags {
  readonly container?: true;
}

export const configure = (command: Command): void => {
  command
    .argument("[dir]", "folder of the new project", ".")
    .option("--container", "write files for Docker as well; in an existing project, write nothing else")
    .action(async (dir: string, flags: Flags) => {
      const container = flags.container === true;
      const folder = path.resolve(rootOf(command), dir);
      const exists = container && configFile(folder) !== undefined;
      const project = exists ? {} : starterFiles(path.basename(folder), neededPackages());
      const begun = await begin(folder, { ...project, ...(container ? containerFiles() : {}) });
      process.stdout.write(`${[...changes(begun), "", ...next(folder, begun, container)].join("\n")}\n`);
    });
};

const changes = ({ written, completed, kept }: Begun): readonly string[] => [
  ...written.map((name) => `${out.green("+")} ${name}`),
  ...completed.map(([name, added]) => `${out.yellow("~")} ${name}: added ${added.join(", ")}`),
  ...kept.map((name) => `  ${name} stays as it is`),
];

const next = (folder: string, { toInstall }: Begun, container: boolean): readonly string[] => {
  const away = path.relative(process.cwd(), folder);
  const { install, run } = packageManagerOf(folder);
  const unlocked = container && !existsSync(path.join(folder, "package-lock.json"));
  const steps = [
    ...(away === "" ? [] : [`cd ${away}`]),
    ...(toInstall || unlocked ? [install] : []),
    `${run} cms generate`,
    ...(container
      ? [`docker compose --env-file ${CONTAINER_SECRETS} up --build`]
      : ["migrate", "permissions apply", "start"].map((words) => `${run} cms ${words}`)),
  ];
  return [
    "Next:",
    ...steps.map((step) => `  ${out.bold(step)}`),
    "",
    ...(container && run !== "npx" ? [`The Dockerfile installs with npm: let it use "${install}" instead.`] : []),
    "Then ask http://localhost:1337/api/articles, and edit content-types/article/schema.json.",
    `While you work, ${out.bold(`${run} cms dev`)} does all of it again on every change.`,
  ];
};
