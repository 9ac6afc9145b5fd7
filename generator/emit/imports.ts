/**
 * The imports of a generated file. A template imports from packages every name that files of its kind may need, and
 * unused names are removed. Declarations of other generated files are imported by name.
 */
import path from "node:path";
import type { Symbol } from "./symbols.ts";

const IMPORT = /^import (type )?\{([^}]*)\} from "([^"]+)";\n/gm;
const STATEMENT = /^(?:import|export) .*from ".*";$/gm;
const TOKEN = /"(?:\\.|[^"\\])*"|\/[/*].*|\d[\w.]*|\.?[\p{ID_Start}_$][\p{ID_Continue}$]*(\??:)?/gu;

/** The identifiers in code, except in strings and comments, and except property names. */
export const mentionedNames = (code: string): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [token, colon] of code.replaceAll("...", "").replaceAll(STATEMENT, "").matchAll(TOKEN)) {
    if (colon === undefined && /^[^"/.\d]/.test(token)) names.add(token);
  }
  return names;
};

const bare = (name: string): string => name.replace(/^type /, "");

const byName = (left: string, right: string): number => (left.toLowerCase() < right.toLowerCase() ? -1 : 1);

/** An import statement: `names` are value names, or type names prefixed with `type `. */
const statement = (module: string, names: readonly string[]): string => {
  if (names.length === 0) return "";
  const onlyTypes = names.every((name) => name.startsWith("type "));
  const sorted = names.toSorted((left, right) => byName(bare(left), bare(right)));
  const list = onlyTypes ? sorted.map(bare) : sorted;
  return `import ${onlyTypes ? "type " : ""}{ ${list.join(", ")} } from "${module}";\n`;
};

const relativeModule = (from: string, to: string): string => {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return relative.startsWith("../") ? relative : `./${relative}`;
};

/** Imports from the other generated files whose declarations are used. */
const ownImports = (
  file: string,
  mentioned: ReadonlySet<string>,
  symbols: ReadonlyMap<string, Symbol>,
): readonly string[] => {
  const modules = new Map<string, string[]>();
  for (const name of mentioned) {
    const symbol = symbols.get(name);
    if (symbol === undefined || symbol.file === file) continue;
    const names = modules.get(symbol.file) ?? [];
    names.push(symbol.isType ? `type ${name}` : name);
    modules.set(symbol.file, names);
  }
  return [...modules].map(([module, names]) => statement(relativeModule(file, module), names));
};

/**
 * @param file the file's path below the output folder
 * @returns its text with the required imports, unsorted
 */
export const withImports = (file: string, text: string, symbols: ReadonlyMap<string, Symbol>): string => {
  const mentioned = mentionedNames(text);
  const trimmed = text.replaceAll(IMPORT, (_, type: string | undefined, names: string, module: string) => {
    const used = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => mentioned.has(bare(name)));
    return statement(module, type === undefined ? used : used.map((name) => `type ${name}`));
  });
  const [header = "", ...rest] = trimmed.split("\n\n");
  return [header, ownImports(file, mentioned, symbols).join("") + rest.join("\n\n")].join("\n\n");
};
