import { createHash } from "node:crypto";
/** Loads TypeScript modules of a project: generated code with extensions, a seed, the configuration. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { writePrivateFile } from "../../base/private-folder.ts";
import { loadFailureOf, SetupError } from "../../base/thrown.ts";
import type { ModuleSource } from "./bundle.ts";
import { installation } from "./installation.ts";
import { sharedAddresses } from "./shared-packages.ts";

/** The inputs of a bundle, so that an unchanged application starts without bundling. */
const buildRecord = z.object({
  /** Digest of the installed packages and where they are. */
  installation: z.string(),
  /** Names of the files of the build, first the bundle. */
  files: z.tuple([z.string()], z.string()),
  /** Digests of all files in the bundle, by path relative to the root. */
  inputs: z.record(z.string(), z.string()),
});
type BuildRecord = z.output<typeof buildRecord>;

// Reading hundreds of small files synchronously takes a fraction of the time, as it avoids the thread pool.
const digest = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("base64url");

/**
 * Digests of the inputs of a build that began at `startedAt` (milliseconds). A file that has been written since may
 * differ from what was bundled, so it gets an empty digest, which never matches.
 */
const digestInputs = (root: string, inputs: readonly string[], startedAt: number) =>
  Object.fromEntries(
    inputs.map((input) => {
      const file = path.resolve(root, input);
      return [input, statSync(file).mtimeMs < startedAt ? digest(file) : ""] as const;
    }),
  );

/** The record in `file`; undefined if it is missing or not valid. */
const readRecord = (file: string): BuildRecord | undefined => {
  try {
    // Compiling the checks does not pay off for a single record.
    return buildRecord.parse(JSON.parse(readFileSync(file, "utf8")), { jitless: true });
  } catch {
    return undefined;
  }
};

/** Whether all inputs are unchanged. */
const isCurrent = (root: string, record: BuildRecord): boolean => {
  try {
    return Object.entries(record.inputs).every(([input, expected]) => digest(path.resolve(root, input)) === expected);
  } catch {
    return false;
  }
};

/**
 * Imports a TypeScript file of the application with everything that it imports. It is bundled once, and again only
 * after a change. Packages that runtime and application share are the runtime's own instances; others are resolved from
 * the root. A changed file gives a new module, so that a running process can load it beside the old one.
 */
export const loadModule = async (source: ModuleSource): Promise<Readonly<Record<string, unknown>>> => {
  const address = pathToFileURL(await bundleFile(source)).href;
  try {
    return await import(address);
  } catch (error) {
    throw new SetupError(`${source.entry}, or what it imports, fails to load: ${loadFailureOf(error)}`, {
      cause: error,
    });
  }
};

const recordOf = (root: string, name: string): string => path.join(root, ".cms", "build", `${name}.json`);

/** The bundles that a server is made of. */
export const BUNDLES = { app: "app", config: "config", panel: "panel" } as const;

/** The absolute paths of the files that a server was last bundled from. */
export const bundledFiles = (root: string): readonly string[] =>
  Object.values(BUNDLES)
    .flatMap((name) => Object.keys(readRecord(recordOf(root, name))?.inputs ?? {}))
    .map((file) => path.resolve(root, file));

/**
 * The path of the bundle of `source`, which is built if it is missing or outdated.
 *
 * @throws BundleError when the code has faults
 */
export const bundleFile = async (source: ModuleSource): Promise<string> => {
  // Stack traces then show files and lines of the application, and not of the bundle.
  process.setSourceMapsEnabled(true);
  const { root, name } = source;
  const folder = path.join(root, ".cms", "build");
  const recordFile = recordOf(root, name);
  const last = readRecord(recordFile);
  const installed = [installation(), ...sharedAddresses()].join("\n");
  if (last?.installation === installed && isCurrent(root, last)) {
    const file = path.join(folder, last.files[0]);
    if (existsSync(file)) return file;
  }

  const startedAt = Date.now();
  const { bundle } = await import("./bundle.ts");
  const { outputs, inputs } = await bundle(source, folder);
  for (const output of outputs) await replaceFile(output.path, output.contents);
  const [first, ...others] = outputs.map((output) => path.basename(output.path));
  if (first === undefined) throw new Error(`bundling ${source.entry} gave no output`);
  const record: BuildRecord = {
    installation: installed,
    files: [first, ...others],
    inputs: digestInputs(root, inputs, startedAt),
  };
  await replaceFile(recordFile, JSON.stringify(record));
  for (const file of last?.files ?? []) {
    if (!record.files.includes(file)) await rm(path.join(folder, file), { force: true });
  }
  return path.join(folder, first);
};

/** Replaces a file atomically: another process that reads it sees the old or the new content, never a part. */
const replaceFile = async (file: string, content: string | Uint8Array): Promise<void> => {
  const temporary = `${file}.${process.pid}`;
  writePrivateFile(temporary, content);
  await rename(temporary, file);
};
