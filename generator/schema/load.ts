import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { completePartial } from "../builtin/partial.ts";
import { problems } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnose, textAt, wholeFile } from "../diagnostics/diagnostic.ts";
import { findDuplicateKeys } from "../diagnostics/positions.ts";
import { findSyntaxFault } from "../diagnostics/syntax-fault.ts";
import { checkShape } from "./check-shape.ts";
import { findSchemaFiles, isFolder, uidOf } from "./find.ts";
import { foreignCode } from "./foreign-code.ts";
import type { ExtensionFile, SchemaFile } from "./schema-file.ts";

const duplicateKeys = (file: string, text: string): Diagnostic[] =>
  findDuplicateKeys(text).map(({ key, first, last }) => {
    const related = [{ place: textAt(file, first), message: "the first one, which does not count" }];
    return diagnose(problems.duplicateKey, textAt(file, last), { key }, { related });
  });

const read = (path: string, file: string) => {
  // A byte order mark is not part of JSON, though some editors write one.
  const text = readFileSync(path, "utf8").replace(/^\u{FEFF}/u, "");
  try {
    const value: unknown = JSON.parse(text);
    return { text, parsed: { value }, diagnostics: duplicateKeys(file, text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { detail, ...range } = findSyntaxFault(text, error);
    const fault = diagnose(problems.invalidJson, textAt(file, range), { detail });
    return { text, parsed: undefined, diagnostics: [fault] };
  }
};

const toRelative = (root: string, path: string): string => relative(root, path).split(sep).join("/");

/**
 * Finds, parses and checks the schema files below `from` (relative to `root`, or absolute). Problems in files go to
 * `diagnostics`; only unreadable files throw.
 */
export const loadSchemas = ({ root, from }: { root: string; from: string }) => {
  const base = resolve(root, from);
  const found = findSchemaFiles(base);
  const diagnostics: Diagnostic[] = [...foreignCode({ root, from: base })];
  /** The text of every schema file, including invalid ones, by name; used to compute positions. */
  const texts = new Map<string, string>();
  /** Sorted by file. Omits files with errors. */
  const files: SchemaFile[] = [];
  const extensions: ExtensionFile[] = [];
  /** The uids of files with errors, so that references to them are not reported as dangling. */
  const broken = new Set<string>();
  if (found.length === 0) {
    const fault = isFolder(base) ? problems.noSchemaFiles : problems.missingFolder;
    diagnostics.push(diagnose(fault, wholeFile(toRelative(root, base) || "."), {}));
  }
  for (const one of found) {
    const name = toRelative(root, one.path);
    if (one.kind === "program") {
      diagnostics.push(diagnose(problems.schemaIsProgram, wholeFile(name), {}));
      continue;
    }
    if (one.kind === "extension") {
      extensions.push({ uid: uidOf(one), file: name });
      continue;
    }
    const { text, parsed, diagnostics: faults } = read(one.path, name);
    texts.set(name, text);
    diagnostics.push(...faults);
    if (!parsed) {
      broken.add(uidOf(one));
      continue;
    }
    const checked = checkShape(one, name, completePartial(uidOf(one), parsed.value));
    diagnostics.push(...checked.diagnostics);
    if (checked.file) files.push(checked.file);
    else broken.add(uidOf(one));
  }
  return { files, extensions, broken, diagnostics, texts };
};
