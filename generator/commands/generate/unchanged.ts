/**
 * Remembers locally (`.cms/cache`) what a run that changed nothing had read, and what it found on disk. A run that reads
 * and finds the same would change nothing either, and warn of the same: it need not make all files to find that out.
 * Anything else takes the whole run.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { installation } from "../../../runtime/app/loader/installation.ts";
import { packageFolder } from "../../../runtime/base/package-folder.ts";
import { writeCacheFile } from "../../../runtime/base/private-folder.ts";
import { rememberedInputs } from "../../artifacts/remembered.ts";
import type { LocatedDiagnostic } from "../../diagnostics/positions.ts";
import { remembered as rememberedMigration, tracesOf } from "../../migrate/history/current.ts";
import { migrationsFolder, namesIn } from "../../migrate/migration.ts";
import { rememberShared } from "../../output/generated-here.ts";
import { hashOf, manifestFiles, type OutputFile } from "../../output/manifest.ts";
import { changesOf, readText } from "../../output/plan.ts";
import { isPending } from "../../output/write.ts";
import { missingPackages } from "../../packages/imported-packages.ts";
import { digestOf } from "../../rendered/digest.ts";
import { findSchemaFiles } from "../../schema/find.ts";
import { foreignCode } from "../../schema/foreign-code.ts";
import { exitCodes } from "../exit-codes.ts";
import type { GenerateFlags } from "./flags.ts";
import type { Outcome } from "./outcome.ts";
import type { Project } from "./project.ts";

/** The digest before its text vouches for the form. */
interface UnchangedRecord {
  /** Of the schema files, the configuration, the migrations, the templates and the installation. */
  readonly inputs: string;
  /** Hashes of the project's own code that was run for the artifacts, by path relative to the root. */
  readonly own: Readonly<Record<string, string>>;
  /** What is remembered of the newest migration. */
  readonly migration: string;
  /** What was warned of. */
  readonly diagnostics: readonly LocatedDiagnostic[];
  /** Hashes by path below the output folder, in the order of the plan. */
  readonly outputs: readonly (readonly [path: string, hash: string])[];
}

/** What a run is about to read. */
export interface Inputs {
  readonly digest: string;
  /** Whether one of the files or folders was written when the run had begun, so that it may have read something else. */
  readonly isYoung: boolean;
}

const recordFile = (root: string): string => path.join(root, ".cms", "cache", "unchanged");

/** The record, with a digest before it: one that was written in part, or by two processes at once, is none. */
const readRecord = (root: string): UnchangedRecord | undefined => {
  try {
    const [digest, text = ""] = readFileSync(recordFile(root), "utf8").split("\n");
    return digest === digestOf([text]) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

const templates = (): readonly string[] => {
  const folder = path.join(packageFolder(), "templates");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".hbs"));
  return files.toSorted().flatMap((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
};

/** The folders of files below `top`, up to that one. */
const foldersOf = (files: readonly string[], top: string): ReadonlySet<string> => {
  const found = new Set([top]);
  for (const file of files)
    for (let folder = path.dirname(file); folder.length > top.length; folder = path.dirname(folder)) found.add(folder);
  return found;
};

/** Whether the flags ask for no more than to write what has changed. */
const isPlain = (flags: GenerateFlags): boolean =>
  Object.entries(flags).every(([name, value]) => name === "from" || name === "json" || value === undefined);

/** What a run reads that begins now; undefined where a whole run has to tell. */
export const readInputs = (project: Project, flags: GenerateFlags): Inputs | undefined => {
  const startedAt = Date.now();
  const { root, from, folder } = project;
  const found = findSchemaFiles(from);
  if (!isPlain(flags) || found.length === 0) return undefined;
  const schemas = found.flatMap((each) => [
    JSON.stringify(each),
    each.kind === "contentType" || each.kind === "component" ? readFileSync(each.path, "utf8") : "",
  ]);
  const warned = foreignCode({ root, from });
  const migrations = migrationsFolder(folder);
  const traces = tracesOf(migrations, namesIn(migrations));
  const files = found.map((each) => each.path);
  const places = [...files, ...foldersOf(files, from)];
  return {
    digest: digestOf([installation(), JSON.stringify([project, warned]), ...traces, ...templates(), ...schemas]),
    isYoung: places.some((place) => statSync(place).mtimeMs >= startedAt),
  };
};

const isSame = (own: UnchangedRecord["own"], root: string): boolean =>
  Object.entries(own).every(([file, hash]) => {
    const text = readText(path.join(root, file));
    return text !== undefined && hashOf(text) === hash;
  });

/** The files of the record as they are on disk; undefined where one of them is not as it was, or the manifest has others. */
const readOutputs = (folder: string, outputs: UnchangedRecord["outputs"]): readonly OutputFile[] | undefined => {
  const names = new Set(outputs.map(([name]) => name));
  if (manifestFiles(folder).some((name) => !names.has(name))) return undefined;
  const files: OutputFile[] = [];
  for (const [name, hash] of outputs) {
    const text = readText(path.join(folder, name));
    if (text === undefined || hashOf(text) !== hash) return undefined;
    files.push({ path: name, text });
  }
  return files;
};

/** What the whole run would come to, where that is known; undefined otherwise. */
export const knownOutcome = (project: Project, inputs: Inputs): Outcome | undefined => {
  const started = performance.now();
  const { root, folder } = project;
  const record = readRecord(root);
  if (record?.inputs !== inputs.digest || isPending(folder)) return undefined;
  if (record.migration !== rememberedMigration(root) || !isSame(record.own, root)) return undefined;
  const files = readOutputs(folder, record.outputs);
  if (files === undefined) return undefined;
  rememberShared(root, files);
  return {
    exitCode: exitCodes.fine,
    diagnostics: record.diagnostics,
    plan: {
      files: files.map(({ path: name, text }) => ({
        path: name,
        action: "keep",
        before: text,
        after: text,
        edited: false,
      })),
    },
    stops: [],
    missing: missingPackages(folder, files),
    milliseconds: performance.now() - started,
  };
};

/** Remembers the outcome of a whole run that began by reading `inputs`, if it has changed nothing. */
export const noteOutcome = (project: Project, inputs: Inputs, outcome: Outcome): void => {
  const { plan, migration, replaced, diagnostics } = outcome;
  const isUnchanged = plan !== undefined && changesOf(plan).length === 0 && !migration && !replaced;
  const { graphql, openapi } = project;
  const own = graphql.artifacts || openapi.artifact ? rememberedInputs(project.root) : {};
  const compared = rememberedMigration(project.root);
  if (!isUnchanged || inputs.isYoung || own === undefined || compared === undefined) return;
  const record: UnchangedRecord = {
    inputs: inputs.digest,
    own: Object.fromEntries(Object.entries(own).map(([file, text]) => [file, hashOf(text)])),
    migration: compared,
    diagnostics,
    outputs: plan.files.map(({ path: name, after = "" }) => [name, hashOf(after)]),
  };
  const text = JSON.stringify(record);
  writeCacheFile(recordFile(project.root), `${digestOf([text])}\n${text}`);
};
