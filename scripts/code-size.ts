/**
 * Counts the code of the runtime, the generator and the panel, without comments and blank lines: `npm run size`. With
 * `--check` it fails if a folder exceeds its limit. Characters count as well as lines, so denser lines gain nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

interface Size {
  readonly files: number;
  readonly lines: number;
  /** Without indentation and line endings. */
  readonly characters: number;
}

/** Code that a project loads only on request counts separately. */
const OPTIONAL_ROOMS = ["audit", "events", "folders", "history", "schedules", "search", "sharing", "telemetry"];

const LIMITS: Readonly<Record<string, { readonly lines: number; readonly characters: number }>> = {
  runtime: { lines: 35_950, characters: 1_498_000 },
  generator: { lines: 25_130, characters: 1_114_500 },
  panel: { lines: 9000, characters: 305_000 },
  ...Object.fromEntries(OPTIONAL_ROOMS.map((room) => [`runtime/${room}`, { lines: 1500, characters: 63_000 }])),
};

const root = path.join(import.meta.dirname, "..");

const codeLines = (text: string): readonly string[] => {
  let inComment = false;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => {
      if (line === "") return false;
      const startsComment = !inComment && line.startsWith("/*");
      if (!inComment && !startsComment) return !line.startsWith("//");
      inComment = !line.includes("*/");
      return false;
    });
};

const sizeOf = (folder: string, isLeftOut: (file: string) => boolean): Size => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => /\.tsx?$/.test(file) && !isLeftOut(file));
  const lines = files.flatMap((file) => codeLines(readFileSync(path.join(root, folder, file), "utf8")));
  return { files: files.length, lines: lines.length, characters: lines.reduce((sum, line) => sum + line.length, 0) };
};

const isOptional = (file: string): boolean => OPTIONAL_ROOMS.some((room) => file.startsWith(`${room}/`));

const foldersOf = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);

const counted = ["runtime", "generator", "panel"].flatMap((folder) => [folder, ...foldersOf(folder)]);

if (!process.argv.includes("--check")) console.log(`${"".padEnd(30)}files   lines  characters`);
for (const folder of counted) {
  const size = sizeOf(folder, folder === "runtime" ? isOptional : () => false);
  const limit = LIMITS[folder];
  if (!process.argv.includes("--check"))
    console.log(
      folder.padEnd(30),
      String(size.files).padStart(4),
      String(size.lines).padStart(7),
      String(size.characters).padStart(11),
    );
  else if (limit !== undefined && (size.lines > limit.lines || size.characters > limit.characters)) {
    console.error(
      `${folder} has ${size.lines} lines and ${size.characters} characters of code; it may have ${limit.lines} and ${limit.characters}`,
    );
    process.exitCode = 1;
  }
}
