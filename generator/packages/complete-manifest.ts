/** Adds to a package.json what a project needs, and leaves everything else in it as it is. */
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import { z } from "zod";

const dependencies = z.record(z.string(), z.string()).default({});

const manifest = z.object({ dependencies, devDependencies: dependencies });

export interface CompletedManifest {
  readonly text: string;
  /** The names of the packages that were not declared before. */
  readonly added: readonly string[];
}

/** One level of the text's indentation. */
const indentOf = (text: string): string => /^\{\s*?\n([ \t]+)/.exec(text)?.[1] ?? "  ";

const insert = (text: string, name: string, version: string): string => {
  const indent = indentOf(text);
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  // Package managers sort by name.
  const getInsertionIndex = (present: string[]): number => present.filter((other) => other < name).length;
  return applyEdits(text, modify(text, ["dependencies", name], version, { formattingOptions, getInsertionIndex }));
};

/**
 * @param text A package.json.
 * @param needed Versions by name. What is declared already keeps its version.
 * @returns The completed text, or undefined when `text` is not the JSON of a package.
 */
export const completeManifest = (
  text: string,
  needed: Readonly<Record<string, string>>,
): CompletedManifest | undefined => {
  const errors: ParseError[] = [];
  const { success, data } = manifest.safeParse(parse(text, errors));
  if (!success || errors.length > 0) return undefined;
  const declared = { ...data.devDependencies, ...data.dependencies };
  const added = Object.entries(needed).filter(([name]) => !Object.hasOwn(declared, name));
  const completed = added.reduce((result, [name, version]) => insert(result, name, version), text);
  return { text: completed, added: added.map(([name]) => name) };
};
