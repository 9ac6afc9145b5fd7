/** `cms media check`: compares the rows of files with the stored files. */
import { type Command, InvalidArgumentError } from "commander";
import { commandRecorders } from "../../runtime/app/features.ts";
import type { Project } from "../../runtime/app/project.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { type Inspection, inspectMedia, isForeign, isSound, repairMedia } from "../../runtime/media/inspect.ts";
import { createMedia } from "../../runtime/media/media.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import type { SourceOf } from "./command.ts";
import { CommandError, exitCodes } from "./exit-codes.ts";
import { withProgress } from "./progress.ts";
import { onProject } from "./with-project.ts";

interface CheckOptions {
  readonly repair?: true;
  readonly force?: true;
  readonly olderThan: number;
}

const parseMinutes = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("use a number of minutes.");
  return Number(text);
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("check")
    .description("find files without a record, and records without a file")
    .option("--repair", "remove files without a record; delete or correct records that are wrong")
    .option("--force", "repair even if no file belongs to a record")
    .option("--older-than <minutes>", "leave younger files alone: their upload may be running", parseMinutes, 60)
    .action(
      onProject(sourceOf, async (project, options: CheckOptions) => {
        const { text, sound } = await check(project, options);
        process.stdout.write(text);
        if (!sound) process.exitCode = exitCodes.drift;
      }),
    );
};

const check = async (
  project: Project,
  { repair, force, olderThan }: CheckOptions,
): Promise<{ text: string; sound: boolean }> => {
  const { application, config, database, root } = project;
  const services = { config, database, log: createLogger(config.logger), media: createMedia(config, root) };
  const found = await withProgress("comparing records and files", () => inspectMedia(services, olderThan));
  const text = report(found);
  if (isSound(found) || !repair) return { text, sound: isSound(found) };
  if (isForeign(found) && !force) {
    throw new CommandError(
      `${text}Not one of these files belongs to a record. Is this the right storage, and the right database? Nothing was changed; --force repairs all the same.`,
    );
  }
  const registry = createRegistry(application);
  const recorders = await commandRecorders(project);
  await withProgress("repairing", () => repairMedia({ ...services, registry, recorders }, found));
  return { text: `${text}repaired\n`, sound: true };
};

const report = (found: Inspection): string =>
  [
    ...found.orphans.map((key) => `file without a record: ${key}`),
    ...found.lost.map(({ id, name, url }) => `record without its file: ${id} ${name} (${url})`),
    ...found.incomplete.map(({ file: { id, name, formats: all }, formats }) => {
      const gone = Object.keys(all ?? {}).filter((format) => !(format in formats));
      return `record without its smaller images: ${id} ${name} (${gone.join(", ")})`;
    }),
    ...found.resized.map(
      ({ file, size }) => `record of another size: ${file.id} ${file.name} (${file.size} kB, ${size} kB stored)`,
    ),
    ...found.unfinished.map((folder) => `upload that was cut off: ${folder}`),
    `${found.rows} records, ${found.objects} files`,
    "",
  ].join("\n");
