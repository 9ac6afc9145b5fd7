/** What is installed: what was made with another installation is of no use. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const manifest = z.object({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

const readManifest = (file: string) => manifest.parse(JSON.parse(readFileSync(file, "utf8")));

/** `dist`, or the repository where the sources run. */
const codeFolder = fileURLToPath(new URL("../../..", import.meta.url));
const extension = path.extname(import.meta.url);

/** Written by the build below `dist`, so that no command has to read hundreds of files. */
const DIGEST_FILE = "digest";

/** Changes with any of our own modules in `folder`. */
export const digestOfCode = (folder: string): string => {
  const hash = createHash("sha256");
  for (const part of ["generator", "runtime"]) {
    const files = readdirSync(path.join(folder, part), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(extension)).sort()) {
      const text = readFileSync(path.join(folder, part, file));
      hash.update(`${part}/${file}:${text.length}:`).update(text);
    }
  }
  return hash.digest("hex");
};

const ownCode = (): string => {
  const made = path.join(codeFolder, DIGEST_FILE);
  return extension === ".js" && existsSync(made) ? readFileSync(made, "utf8") : digestOfCode(codeFolder);
};

/**
 * The installed version of every package that the package in `folder` depends on, as `name@version`. A range in
 * package.json does not tell: an override or another lock file installs what it likes.
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
  const file = createRequire(import.meta.url).resolve("galley-cms/package.json");
  const parts = [readManifest(file).version, ownCode(), ...installedVersions(path.dirname(file))];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};

let described: string | undefined;

/**
 * Changes with our own code and with the version of every package that it depends on. It is read once: what is
 * installed while a process runs is not what the process runs.
 */
export const installation = (): string => (described ??= describe());
