/** `cms import PROJECT`: imports the types and settings of a Strapi project, and lists what is left to do. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { CommandError } from "../commands/exit-codes.ts";
import { begin } from "../commands/init/begin.ts";
import { starterFiles } from "../commands/starter-files.ts";
import { out } from "../commands/terminal.ts";
import { neededPackages } from "../packages/imported-packages.ts";
import { packageManagerOf } from "../packages/package-manager.ts";
import { generateFaults } from "./generate-faults.ts";
import { isMinor, kinds } from "./project/findings/finding.ts";
import { groups } from "./project/output/checklist.ts";
import { APART, carryOut, type PlannedWrite, planWrites } from "./project/output/write.ts";
import { CHECKLIST, takeOver, type TakenOver } from "./project/take-over.ts";

interface ProjectImport {
  /** The new project's folder, absolute. */
  readonly root: string;
  /** The folder of the Strapi project, absolute. */
  readonly source: string;
  readonly dryRun?: true;
  readonly force?: true;
}

/** What every new project has, without the example. */
const baseFiles = (root: string): Readonly<Record<string, string>> => {
  const {
    "cms.config.ts": _,
    "content-types/article/schema.json": __,
    ...files
  } = starterFiles(path.basename(root), neededPackages());
  return files;
};

const isSameFolder = (root: string, source: string): boolean =>
  existsSync(root) && realpathSync(root) === realpathSync(source);

/** Neutralizes terminal escape sequences in foreign file names. */
const harmless = (text: string): string => text.replaceAll(/\p{Cc}/gu, "?");

const signs = { created: out.green("+"), updated: out.yellow("~") } as const;

const writtenLines = (plan: readonly PlannedWrite[]): readonly string[] =>
  plan.flatMap(({ file: name, action }) => {
    const file = harmless(name);
    if (action === "created" || action === "updated") return [`${signs[action]} ${file}`];
    if (action === "apart")
      return [`${out.red("!")} ${file} was edited here and stays; what it would be: ${APART}/${file}`];
    return action === "kept" ? [`  ${file} was edited here and stays`] : [];
  });

/** The maximum entries of a group shown on the terminal. */
const SHOWN = 10;

/** Prints what needs a decision: one line each, with its place. */
const leftLines = ({ findings }: TakenOver): readonly string[] =>
  groups(findings.filter((each) => !isMinor(each))).flatMap(([kind, own]) => [
    `${out.bold(kinds[kind].title)} (${own.length})`,
    ...own
      .slice(0, SHOWN)
      .map(({ name, at, note }) => harmless(`  ${at.file}:${at.line} ${name}${note === undefined ? "" : `: ${note}`}`)),
    ...(own.length > SHOWN ? [`  and ${own.length - SHOWN} more in ${CHECKLIST}`] : []),
  ]);

const nextLines = (root: string, toInstall: boolean): readonly string[] => {
  const { install, run } = packageManagerOf(root);
  return [
    "Next:",
    ...(toInstall ? [`  ${install}`] : []),
    ...["generate", "migrate", "import export.tar.gz", "start"].map((words) => `  ${run} cms ${words}`),
  ];
};

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

/** Imports the project into `root`. Keeps files edited there, unless `force` says otherwise. */
export const importProject = async ({ root, source, dryRun, force }: ProjectImport): Promise<void> => {
  if (isSameFolder(root, source))
    throw new CommandError(
      `${root} is the Strapi project itself: create another folder for the new project, and run the command there.`,
    );
  const checklist = path.join(root, CHECKLIST);
  const taken = await takeOver(source, existsSync(checklist) ? readFileSync(checklist, "utf8") : "", generateFaults);
  const plan = planWrites(root, taken.files, force === true);
  const begun = dryRun === true ? undefined : await begin(root, baseFiles(root));
  if (begun) carryOut(root, plan);
  const count = taken.findings.length;
  print([
    `${begun ? "taken over" : "dry run, nothing was written; it would be"}: a project of Strapi ${taken.version}, ${taken.schemas} schema files, ${taken.settings.length} settings`,
    ...(begun?.written.map((file) => `${signs.created} ${file}`) ?? []),
    ...(begun?.completed.map(([file, added]) => `${signs.updated} ${file}: added ${added.join(", ")}`) ?? []),
    ...writtenLines(plan),
    "",
    ...(count === 0
      ? ["Nothing was left."]
      : [
          `${count} things were not taken over; ${CHECKLIST} has them, with what they are called here.`,
          `${taken.findings.filter((each) => !isMinor(each)).length} of them need a decision:`,
        ]),
    ...leftLines(taken),
    "",
    ...(begun ? nextLines(root, begun.toInstall) : []),
  ]);
};
