/** A Strapi project's folder: its version, contents and dependencies. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { type CodeReader, codeReader } from "./code/parse.ts";
import { type PassedOver, walk } from "./walk.ts";

export interface StrapiProject {
  /** Absolute, with symbolic links resolved. */
  readonly root: string;
  readonly version: 4 | 5;
  /** Its dependencies, by name. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** The relative paths of its files. */
  readonly files: readonly string[];
  readonly passedOver: readonly PassedOver[];
  readonly reader: CodeReader;
}

const names = z.record(z.string(), z.string()).catch({});
const manifest = z.looseObject({ dependencies: names.default({}), devDependencies: names.default({}) });

const readManifest = (file: string): z.infer<typeof manifest> => {
  if (!existsSync(file)) return { dependencies: {}, devDependencies: {} };
  try {
    return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new SetupError(
      `${file} is not the package.json of a project: ${error instanceof Error ? error.message : ""}`,
    );
  }
};

/** Traits that only version 4 or 5 has, if the version is not stated: a workspace's catalogue, or `latest`. */
const guessed = (files: readonly string[], reader: CodeReader): 4 | 5 => {
  const isOld = files.some(
    (file) =>
      /^src\/(?:api|plugins)\/.*\.js$/.test(file) && /\bentityService\b|['"]use strict['"]/.test(reader.text(file)),
  );
  return isOld ? 4 : 5;
};

const majorOf = (range: string | undefined): number | undefined => {
  const [digits] = /\d+/.exec(range ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * Opens the project in a folder. Runs none of its code.
 *
 * @throws SetupError if it is not a version 4 or 5 project
 */
export const openStrapiProject = (folder: string): StrapiProject => {
  const root = realpathSync(folder);
  const { dependencies, devDependencies } = readManifest(path.join(root, "package.json"));
  const all = new Map(Object.entries({ ...devDependencies, ...dependencies }));
  if (all.has("strapi") && !all.has("@strapi/strapi"))
    throw new SetupError(`${folder} is a project of Strapi 3: take it to version 4 or 5 first.`);
  const { files, passedOver } = walk(root);
  const reader = codeReader(root, files);
  const major = majorOf(all.get("@strapi/strapi")) ?? guessed(files, reader);
  if (major !== 4 && major !== 5)
    throw new SetupError(`${folder} depends on Strapi ${major}: projects of version 4 and 5 can be taken over.`);
  return { root, version: major, dependencies: all, files, passedOver, reader };
};
