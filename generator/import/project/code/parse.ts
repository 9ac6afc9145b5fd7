/** Source files as syntax trees: nothing is resolved, and nothing is run. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Project, ScriptTarget, type SourceFile, ts } from "ts-morph";
import { isTooLarge } from "../walk.ts";

/** A source location. */
export interface Place {
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly line: number;
}

/** A parsed file, or why it could not be parsed. */
export type Parsed = { readonly source: SourceFile } | { readonly fault: string; readonly line: number };

/** Reads source files by their path in the project, each once. */
export type CodeReader = Readonly<ReturnType<typeof codeReader>>;

/** The maximum number of values looked at per project. */
const MAX_VALUES = 500_000;

/** The maximum nesting depth of objects and lists. */
export const MAX_DEPTH = 40;

const CODE = /\.[cm]?[jt]sx?$/;

/** Whether a file contains executable code, by its name. */
export const isCode = (file: string): boolean => CODE.test(file) && !/\.d\.[cm]?ts$|\.example\.\w+$/.test(file);

const faultOf = (file: string, text: string): { fault: string; line: number } | undefined => {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.Preserve, allowJs: true },
  });
  const [first] = diagnostics;
  if (first === undefined) return undefined;
  const line = first.file && first.start !== undefined ? first.file.getLineAndCharacterOfPosition(first.start).line : 0;
  return { fault: ts.flattenDiagnosticMessageText(first.messageText, " "), line: line + 1 };
};

/** Reads the files of the project in `root`, which is absolute. */
export const codeReader = (root: string, names: readonly string[]) => {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { allowJs: true, target: ScriptTarget.ESNext },
  });
  const known = new Map<string, Parsed>();
  let spent = 0;
  const text = (file: string): string => readFileSync(path.join(root, file), "utf8");
  const read = (file: string): Parsed => {
    if (isTooLarge(path.join(root, file))) return { fault: "it is too large to be read", line: 1 };
    const content = text(file);
    return faultOf(file, content) ?? { source: project.createSourceFile(`/${file}`, content) };
  };
  return {
    /** The files of the project. */
    files: new Set(names),
    text,
    /** Whether the budget allows looking at another value: constants may refer to each other without bound. */
    spend: (): boolean => spent++ < MAX_VALUES,
    parse(file: string): Parsed {
      const found = known.get(file) ?? read(file);
      known.set(file, found);
      return found;
    },
  };
};

/** The syntax tree of a file; undefined if it could not be read. */
export const sourceOf = (reader: CodeReader, file: string): SourceFile | undefined => {
  const parsed = reader.parse(file);
  return "source" in parsed ? parsed.source : undefined;
};

/** The location of a node. */
export const placeOf = (node: {
  getSourceFile(): SourceFile;
  getStartLineNumber(includeJsDoc?: boolean): number;
}): Place => ({
  file: node.getSourceFile().getFilePath().slice(1),
  line: node.getStartLineNumber(),
});

const LONGEST = 100;

/** Code as one line. */
export const lineOf = (node: { getText(): string }): string => {
  const text = node.getText().replaceAll(/\s+/g, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** The same between backticks. */
export const quotedLine = (node: { getText(): string }): string => `\`${lineOf(node).replaceAll("`", "'")}\``;
