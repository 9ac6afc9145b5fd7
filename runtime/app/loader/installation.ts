/** Identifies the installed packages: results that were cached with another installation are not used. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { packageFolder } from "../../base/package-folder.ts";

const manifest = z.object({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

const readManifest = (file: string) => manifest.parse(JSON.parse(readFileSync(file, "utf8")));

const extension = path.extname(import.meta.url);

/** The folder of our own modules: `dist`, or the repository if the sources are run directly. */
export const codeFolder = (): string => path.join(packageFolder(), extension === ".js" ? "dist" : "");

/** The file with the digest, written by the build into `dist`, so that commands need not read hundreds of files. */
const DIGEST_FILE = "digest";

/** A digest of all our own modules in `folder`. */
export const digestOfCode = (folder: string): string => {
  const hash = createHash("sha256");
  for (const part of ["chunks", "generator", "runtime"].filter((name) => existsSync(path.join(folder, name)))) {
    const files = readdirSync(path.join(folder, part), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(extension)).sort()) {
      const text = readFileSync(path.join(folder, part, file));
      hash.update(`${part}/${file}:${text.length}:`).update(text);
    }
  }
  return hash.digest("hex");
};

const ownCode = (): string => {
  const folder = codeFolder();
  const made = path.join(folder, DIGEST_FILE);
  return extension === ".js" && existsSync(made) ? readFileSync(made, "utf8") : digestOfCode(folder);
};

/**
 * The installed versions of all packages that the package in `folder` depends on, as `name@version`. The ranges in
 * package.json are not enough, since overrides and lock files decide what is installed.
 */
export const installedVersions = (folder: string): readonly string[] => {
  const file = path.join(folder, "package.json");
  const places = createRequire(file).resolve;
  return Object.keys(readManifest(file).dependencies).map((name) => {
    const found = (places.paths(name) ?? [])
      .map((place) => path.join(place, name, "package.json"))
      .find((candidate) => existsSync(candidate));
    return `${name}@${found === undefined ? "" : (readManifest(found).version ?? "")}`;
  });
};

const describe = (): string => {
  const folder = packageFolder();
  const parts = [readManifest(path.join(folder, "package.json")).version, ownCode(), ...installedVersions(folder)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};

let described: string | undefined;

/**
 * A digest of our own code and the versions of all its dependencies. Computed once, since a process keeps running the
 * code with which it started.
 */
export const installation = (): string => (described ??= describe());
