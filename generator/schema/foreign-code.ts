/**
 * Detects code in a Strapi project around its schema files: none of it runs here, and nobody should have to learn that
 * from wrong answers. Ignores unchanged Strapi boilerplate. Nothing is executed.
 */
import { readdirSync, readFileSync, type Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { problems } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnose, wholeFile } from "../diagnostics/diagnostic.ts";

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
};

const CODE = /\.[cm]?[jt]sx?$/;

/** Code files in the folder and below. */
const codeIn = (folder: string): readonly string[] =>
  entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : codeIn(path);
    const isCode = CODE.test(entry.name) && !/\.(d\.ts|example\.\w+)$/.test(entry.name);
    return entry.isFile() && isCode ? [path] : [];
  });

/** The text without comments and spaces; may also strip texts that look like comments, which does not matter here. */
const bare = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/\s+/g, "")
    .replace(/["']usestrict["'];?/g, "");

const IMPORTS = String.raw`(?:import(?:type)?\{[^}]*\}from["'][^"']*["'];?|(?:const|let|var)\{[^}]*\}=require\(["'][^"']*["']\)(?:\.factories)?;?)*`;
const EXPORTS = String.raw`(?:module\.exports=|exportdefault)`;

/** Boilerplate of a new project and of Strapi's generate commands. */
const untouched: readonly RegExp[] = [
  new RegExp(
    String.raw`^${IMPORTS}${EXPORTS}(?:factories\.)?createCore(?:Controller|Service|Router)(?:<[^>]*>)?\(["'][^"']*["'](?:as\w+)?\);?$`,
  ),
  new RegExp(
    String.raw`^${IMPORTS}${EXPORTS}\{(?:(?:async)?(?:register|bootstrap|destroy)\([^)]*\)(?::[\w<>]+)?\{\},?)*\};?$`,
  ),
  /^(?:export\{\};?)?$/,
  new RegExp(String.raw`^${IMPORTS}${EXPORTS}(?:async)?\([^)]*\)=>\{\};?$`),
];

/** Whether a code file contains only Strapi's boilerplate. */
export const isUntouched = (text: string): boolean => {
  const plain = bare(text);
  return untouched.some((pattern) => pattern.test(plain));
};

/** Whether a file contains nothing but commented-out code. */
export const isCommentedOut = (text: string): boolean =>
  bare(text) === "" && /\bexports\b|\bexport default\b|=>|\bfunction\b/.test(text);

/** Where a Strapi project has each kind of code, and its counterpart here. */
const kinds: readonly (readonly [place: RegExp, kind: string, instead: string])[] = [
  [/\/content-types\/[^/]+\/lifecycles\.\w+$/, "a lifecycle", "hooks of extension.ts"],
  [/\/controllers\//, "a controller", "handlers and routes of extension.ts"],
  [/\/services\//, "a service", "modules that extension.ts imports"],
  [/\/routes\//, "routes", "routes of extension.ts"],
  [/\/policies\//, "a policy", "policies of extension.ts"],
  [/\/middlewares\//, "a middleware", "middlewares of extension.ts"],
  [/^\/plugins\//, "a plugin", "extension.ts and app.ts"],
  [/^\/extensions\//, "an extension of a plugin", "extension.ts and app.ts"],
  [/^\/index\.\w+$/, "an entry file", "register, bootstrap and destroy of app.ts"],
];

/** Schemas written as code are reported where schema files are read. */
const isSchema = (place: string): boolean => /\/content-types\/[^/]+\/schema\.\w+$/.test(place);

const FOLDERS = ["api", "extensions", "middlewares", "policies", "plugins"];

/** Whether the folder is the `src` of a Strapi project. */
const isSource = (folder: string): boolean =>
  entriesOf(folder).some((entry) => entry.isDirectory() && (entry.name === "api" || entry.name === "extensions"));

/** Schema files may also be searched from the project's folder. */
const sourceOf = (from: string): string | undefined => [from, join(from, "src")].find(isSource);

const withSlashes = (path: string): string => path.split(sep).join("/");

/** A warning for each file of the project's own code. */
export const foreignCode = ({
  root,
  from,
}: {
  readonly root: string;
  readonly from: string;
}): readonly Diagnostic[] => {
  const source = sourceOf(from);
  if (source === undefined) return [];
  const index = entriesOf(source).flatMap((entry) =>
    /^index\.[cm]?[jt]s$/.test(entry.name) ? [join(source, entry.name)] : [],
  );
  return [...FOLDERS.flatMap((folder) => codeIn(join(source, folder))), ...index].flatMap((file) => {
    const place = `/${withSlashes(relative(source, file))}`;
    const found = kinds.find(([pattern]) => pattern.test(place));
    if (found === undefined || isSchema(place) || place.endsWith("/extension.ts")) return [];
    if (isUntouched(readFileSync(file, "utf8"))) return [];
    const [, kind, instead] = found;
    return [diagnose(problems.foreignCode, wholeFile(withSlashes(relative(root, file))), { kind, instead })];
  });
};
