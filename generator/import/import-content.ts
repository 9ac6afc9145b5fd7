/** `cms import ARCHIVE` and `cms import DATABASE`: imports the content of a Strapi project. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../runtime/app/project.ts";
import { SetupError } from "../../runtime/base/thrown.ts";
import { exitCodes } from "../commands/exit-codes.ts";
import { withProgress } from "../commands/progress.ts";
import { type Running, withProject } from "../commands/with-project.ts";
import { localesWriter } from "./adopt-locales.ts";
import { createReport, type Report } from "./content/report.ts";
import type { Imported } from "./content/run.ts";
import type { ComponentFile } from "./database/source-types.ts";
import { type Content, withContent } from "./source.ts";

/** The import's options. */
export interface ContentOptions {
  readonly key?: string;
  readonly files?: string;
  readonly from?: string;
  readonly dryRun?: true;
  readonly report: string;
}

/** Beside the report. */
const IDS_FILE = ".cms/v4-ids.jsonl";

/** Some statements process all rows of an archive. */
const STATEMENT_SECONDS = 6 * 60 * 60;

const summary = ({ source, tallies, ids }: Imported, { origin: kind }: Content, isDry: boolean): string => {
  const lines = [...tallies]
    .filter(([, { created, present }]) => created + present > 0)
    .map(([type, { created, present }]) => `  ${type}: ${created} created, ${present} there before`);
  const begin = isDry ? "dry run, nothing was written; it would be" : "import";
  const origin = source.isOwn ? "Galley" : `Strapi ${source.version}`;
  const numbers = ids > 0 ? [`${IDS_FILE} says which document each of ${ids} numeric ids is`] : [];
  return [`${begin} of ${kind === "export" ? "an export" : "a database"} of ${origin}:`, ...lines, ...numbers, ""].join(
    "\n",
  );
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

/**
 * The components in the schema files that the project is generated from. Without them, component tables in a database
 * could not be found, and all their values would be missing.
 */
const componentsOf = async (
  { root, config, application }: Project,
  from = config.generate.from,
): Promise<readonly ComponentFile[]> => {
  const { loadSchemas } = await import("../schema/load.ts");
  const files = loadSchemas({ root, from }).files.flatMap(({ kind, uid, schema }) =>
    kind === "component" ? [{ uid, collectionName: schema.collectionName ?? "", attributes: schema.attributes }] : [],
  );
  const found = new Set(files.map(({ uid }) => uid));
  const missing = Object.keys(application.components).filter((uid) => !found.has(uid));
  if (missing.length === 0) return files;
  throw new SetupError(
    `no schema file in ${from} describes ${missing.join(", ")}, whose values a database keeps in tables of ` +
      "their own. Name the folder that the project is generated from with --from, or as generate.from in cms.config.ts.",
  );
};

/** Imports the content at a place and reports what could not be imported. */
export const importContent = (
  running: Running,
  place: string,
  { key, files, from, dryRun, report: file }: ContentOptions,
): Promise<void> =>
  withProject({ ...running, statementSeconds: STATEMENT_SECONDS }, async (project) => {
    const { runImport } = await import("./content/run.ts");
    for (const each of [file, IDS_FILE]) {
      await mkdir(path.dirname(path.resolve(project.root, each)), { recursive: true, mode: 0o700 });
    }
    const isDry = dryRun === true;
    const components = (): Promise<readonly ComponentFile[]> => componentsOf(project, from);
    await withContent({ place, key, components }, async (content) => {
      const report = createReport(path.resolve(project.root, file));
      try {
        const idsFile = path.resolve(project.root, IDS_FILE);
        const adoptLocales = localesWriter(project.root);
        const imported = await withProgress("reading", (onStep) =>
          runImport(project, { content, files, isDry, report, idsFile, adoptLocales, onStep }),
        );
        const { adoptLayouts } = await import("./layouts/adopt-layouts.ts");
        const { root, config } = project;
        adoptLayouts({ root, from: from ?? config.generate.from, isDry, report, ...imported.source });
        process.stdout.write(`${summary(imported, content, isDry)}${remarks(report, file)}`);
        if (report.lost > 0) process.exitCode = exitCodes.drift;
      } finally {
        report.end();
      }
    });
  });
