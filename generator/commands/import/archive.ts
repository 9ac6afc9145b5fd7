/** `cms import ARCHIVE`: takes over the content of a Strapi project, from what `strapi export` writes. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createReport, type Report } from "../../transfer/import/report.ts";
import type { Imported } from "../../transfer/import/run.ts";
import { exitCodes } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { type Running, withProject } from "../with-project.ts";

/** How the content of an archive is taken over. */
export interface ArchiveOptions {
  readonly key?: string;
  readonly files?: string;
  readonly dryRun?: true;
  readonly report: string;
}

/** Beside the report. */
const IDS_FILE = ".cms/v4-ids.jsonl";

/** Some statements work on all rows of an archive. */
const STATEMENT_SECONDS = 6 * 60 * 60;

const summary = ({ source, tallies, ids }: Imported, isDry: boolean): string => {
  const lines = [...tallies]
    .filter(([, { created, present }]) => created + present > 0)
    .map(([type, { created, present }]) => `  ${type}: ${created} created, ${present} there before`);
  const begin = isDry ? "dry run, nothing was written; it would be" : "import";
  const origin = source.isOwn ? "Galley" : `Strapi ${source.version}`;
  const numbers = ids > 0 ? [`${IDS_FILE} says which document each of ${ids} numeric ids is`] : [];
  return [`${begin} of an export of ${origin}:`, ...lines, ...numbers, ""].join("\n");
};

const remarks = (report: Report, file: string): string => {
  if (report.counts.size === 0) return "";
  const of = (weight: "lost" | "kept"): string[] =>
    [...report.counts].flatMap(([text, count]) => (count.weight === weight ? [`  ${count.number} x ${text}`] : []));
  const lost = of("lost");
  const kept = of("kept");
  return [
    ...(lost.length > 0 ? ["not taken over:", ...lost] : []),
    ...(kept.length > 0 ? ["taken over, and to be looked at:", ...kept] : []),
    `each of them is a line of ${file}`,
    "",
  ].join("\n");
};

/** Takes over the content of an archive, and says what could not be. */
export const importArchive = (
  running: Running,
  archive: string,
  { key, files, dryRun, report: file }: ArchiveOptions,
): Promise<void> =>
  withProject({ ...running, statementSeconds: STATEMENT_SECONDS }, "cms import", async (project) => {
    const { runImport } = await import("../../transfer/import/run.ts");
    for (const each of [file, IDS_FILE]) {
      await mkdir(path.dirname(path.resolve(project.root, each)), { recursive: true, mode: 0o700 });
    }
    const report = createReport(path.resolve(project.root, file));
    const progress = createProgress();
    const isDry = dryRun === true;
    try {
      const job = {
        location: path.resolve(archive),
        key,
        files,
        isDry,
        report,
        idsFile: path.resolve(project.root, IDS_FILE),
        onStep: progress.show,
      };
      const imported = await runImport(project, job);
      progress.end();
      process.stdout.write(`${summary(imported, isDry)}${remarks(report, file)}`);
      if (report.lost > 0) process.exitCode = exitCodes.drift;
    } finally {
      progress.end();
      await report.end();
    }
  });
