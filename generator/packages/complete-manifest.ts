/** Adds to a package.json what a project needs, and leaves the rest as it is. */
import { type ParseError, parse } from "jsonc-parser";
import { z } from "zod";
import { setInJson } from "../schema/set-in-json.ts";

const dependencies = z.record(z.string(), z.string()).default({});

const record = z.record(z.string(), z.unknown());

/** Some editors on Windows write a byte order mark, and package managers ignore it. */
const BYTE_ORDER_MARK = "\u{FEFF}";

const manifest = z.looseObject({
  type: z.string().optional(),
  scripts: dependencies,
  dependencies,
  devDependencies: dependencies,
});

/** The relevant contents of the project's package.json. */
export interface NeededManifest {
  /** Undefined: it stays as it is. */
  readonly type: "module" | undefined;
  readonly scripts: Readonly<Record<string, string>>;
  /** Versions by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** An existing file with what it lacked. */
export interface Completion {
  readonly text: string;
  /** What was added, in words: `script dev`, `zod 4.6.7`; empty if it was complete. */
  readonly added: readonly string[];
  /** Whether packages were added. */
  readonly toInstall: boolean;
}

/** Package managers sort packages by name; everything else is appended, including a missing packages section. */
const placeOf = ([section = "", name = ""]: readonly string[], text: string): ((present: string[]) => number) => {
  const isSorted = section === "dependencies" && Object.hasOwn(record.parse(parse(text)), section);
  return (present) => (isSorted ? present.filter((other) => other < name).length : present.length);
};

const insert = (text: string, path: string[], value: string): string =>
  setInJson(text, path, value, placeOf(path, text));

const lacking = (wanted: Readonly<Record<string, string>>, present: object): readonly [string, string][] =>
  Object.entries(wanted).filter(([name]) => !Object.hasOwn(present, name));

/**
 * @param text A package.json.
 * @param needed What is already declared stays as it is.
 * @returns The completed text, or undefined if `text` is not a valid package.json.
 */
export const completeManifest = (text: string, needed: NeededManifest): Completion | undefined => {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const completed = completeManifest(text.slice(BYTE_ORDER_MARK.length), needed);
    return completed && { ...completed, text: `${BYTE_ORDER_MARK}${completed.text}` };
  }
  const errors: ParseError[] = [];
  const { success, data } = manifest.safeParse(parse(text, errors));
  if (!success || errors.length > 0) return undefined;
  const declared = { ...data.devDependencies, ...data.dependencies };
  const scripts = lacking(needed.scripts, data.scripts);
  const packages = lacking(needed.dependencies, declared);
  const isModule = needed.type !== undefined && data.type === undefined;
  let completed = isModule ? insert(text, ["type"], "module") : text;
  for (const [name, script] of scripts) completed = insert(completed, ["scripts", name], script);
  for (const [name, version] of packages) completed = insert(completed, ["dependencies", name], version);
  return {
    text: completed,
    added: [
      ...(isModule ? ['"type": "module"'] : []),
      ...scripts.map(([name]) => `script ${name}`),
      ...packages.map(([name, version]) => `${name} ${version}`),
    ],
    toInstall: packages.length > 0,
  };
};
