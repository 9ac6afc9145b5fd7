/** The whole of what a project becomes: files to write, and what is left to do. */
import type { Place } from "./code/parse.ts";
import { cronFindings } from "./findings/cron.ts";
import { customFieldFindings } from "./findings/custom-fields.ts";
import { fileFindings } from "./findings/files.ts";
import type { Finding } from "./findings/finding.ts";
import { mergeFindings } from "./findings/merge.ts";
import { pluginFindings } from "./findings/plugins.ts";
import { settingFindings } from "./findings/settings.ts";
import { checklistText, withoutTicks, withTicks } from "./output/checklist.ts";
import { configText } from "./output/config.ts";
import type { WantedFile } from "./output/write.ts";
import { openStrapiProject } from "./project.ts";
import { readSchemas } from "./schemas.ts";
import { readSettings } from "./settings/read.ts";
import { makeStarters, type Starters } from "./starters/make.ts";

export type TakenOver = Awaited<ReturnType<typeof takeOver>>;

/** Finds what keeps `cms generate` from taking schema files and the configuration. */
export type FindFaults = (files: readonly WantedFile[]) => Promise<readonly Finding[]>;

/** The name of the checklist. */
export const CHECKLIST = "IMPORT.md";

export const CONFIG = "cms.config.ts";

/** The folder of schema files. */
export const SOURCE = "content-types";

const placeText = ({ file, line }: Place): string => `${file}:${line}`;

/** Which starter stands for a finding. */
const withStarters = (findings: readonly Finding[], { files, modules }: Starters): readonly Finding[] => {
  const places = new Map(files.flatMap(({ file, pieces }) => pieces.map(({ at }) => [placeText(at), file] as const)));
  const policies = new Set(modules.map(({ at }) => placeText(at)));
  return findings.map((finding) => {
    const place = placeText(finding.at);
    const own = modules.find(({ original }) => finding.kind === "policy" && original === finding.at.file);
    if (own) return { ...finding, starter: own.file };
    const starter = places.get(place);
    if (starter === undefined) return finding;
    const note = policies.has(place) ? [finding.note, "refuses everybody until the policy is written"] : [finding.note];
    const text = note.filter((each) => each !== undefined).join("; ");
    return { ...finding, starter, ...(text !== "" && { note: text }) };
  });
};

/**
 * Reads a project of Strapi 4 or 5. Nothing of it is run.
 *
 * @param folder of the project
 * @param ticked the checklist that is there already, whose ticks are kept
 * @throws SetupError where it is none
 */
export const takeOver = async (folder: string, ticked: string, findFaults: FindFaults) => {
  const project = openStrapiProject(folder);
  const { copies, left } = readSchemas(project);
  const schemas = copies.map(({ to, bytes }) => ({ file: `${SOURCE}/${to}`, content: bytes }));
  const settings = readSettings(project);
  const config = { file: CONFIG, content: configText(settings.settings) };
  const starters = makeStarters(project, copies, SOURCE);
  const found = [
    ...(await findFaults([...schemas, config])),
    ...left,
    ...fileFindings(project),
    ...cronFindings(project),
    ...customFieldFindings(project),
    ...pluginFindings(project, settings.plugins),
    ...settingFindings(project, settings),
  ];
  const findings = mergeFindings(withStarters(found, starters));
  const checklist = withTicks(checklistText(findings, project.version), ticked);
  const files: readonly WantedFile[] = [
    ...schemas,
    ...[...starters.files, ...starters.modules].map(({ file, text }) => ({ file, content: text })),
    config,
    { file: CHECKLIST, content: checklist, essence: withoutTicks },
  ];
  return { version: project.version, findings, settings: settings.settings, schemas: copies.length, files };
};
