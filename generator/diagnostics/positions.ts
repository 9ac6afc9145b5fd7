/**
 * Lines and columns of diagnostics. The JSON parser that knows positions comes with ts-morph, which takes longer to
 * load than a whole run without problems: it is imported when there is something to locate, and only then.
 */
import type { ts as TypeScript } from "ts-morph";
import type { Diagnostic, Place, Related, TextRange } from "./diagnostic.ts";

/** Lines and columns count from 1; `width` counts UTF-16 code units and ends with the line. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly width: number;
}

export interface LocatedRelated extends Related {
  readonly position: Position | undefined;
}

export interface LocatedDiagnostic extends Diagnostic {
  readonly position: Position | undefined;
  /** The text of the line, where the file could be read. */
  readonly sourceLine: string | undefined;
  readonly related: readonly LocatedRelated[];
}

type Api = typeof TypeScript;

interface Source {
  readonly file: TypeScript.JsonSourceFile;
  readonly lines: readonly string[];
}

const toPosition = ({ file, lines }: Source, start: number, end: number): Position => {
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const rest = (lines[line] ?? "").length - character;
  return { line: line + 1, column: character + 1, width: Math.max(1, Math.min(end - start, rest)) };
};

const property = (ts: Api, node: TypeScript.Node, key: string): TypeScript.PropertyAssignment | undefined => {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  // Of a repeated key the last one counts, as in JSON.parse.
  return node.properties
    .filter((candidate) => ts.isPropertyAssignment(candidate))
    .findLast(({ name }) => ts.isStringLiteral(name) && name.text === key);
};

/**
 * The position of the value, or of the deepest value on the way to it that exists. An object or list is shown by its
 * key, where it has one: the bracket that it begins with says little.
 */
const locateNode = (ts: Api, source: Source, { path = [], at }: Place): Position | undefined => {
  const top = source.file.statements[0]?.expression;
  if (!top) return undefined;
  let node: TypeScript.Node = top;
  let target: TypeScript.Node = top;
  for (const [depth, step] of path.entries()) {
    const found: TypeScript.PropertyAssignment | undefined =
      typeof step === "string" ? property(ts, node, step) : undefined;
    const value: TypeScript.Expression | undefined = found ? found.initializer : element(ts, node, step);
    if (!value) break;
    const byKey = (at === "key" && depth === path.length - 1) || isContainer(ts, value);
    target = found && byKey ? found.name : value;
    node = value;
  }
  return toPosition(source, target.getStart(source.file), target.getEnd());
};

const element = (ts: Api, node: TypeScript.Node, index: string | number): TypeScript.Expression | undefined =>
  typeof index === "number" && ts.isArrayLiteralExpression(node) ? node.elements[index] : undefined;

const isContainer = (ts: Api, node: TypeScript.Node): boolean =>
  ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);

const positionOf = (ts: Api, source: Source, place: Place): Position | undefined => {
  if (place.range) return toPosition(source, place.range.start, place.range.start + place.range.length);
  return place.path ? locateNode(ts, source, place) : undefined;
};

const byPosition = (a: LocatedDiagnostic, b: LocatedDiagnostic): number =>
  compare(a.place.file, b.place.file) ||
  (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
  (a.position?.column ?? 0) - (b.position?.column ?? 0) ||
  compare(a.code, b.code) ||
  compare(a.message, b.message);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Finds the lines and columns, and sorts by file and position. `read` gives the text of a file that was loaded.
 * Several diagnostics of one file parse it once.
 */
export const locate = async (
  diagnostics: readonly Diagnostic[],
  read: (file: string) => string | undefined,
): Promise<LocatedDiagnostic[]> => {
  if (diagnostics.length === 0) return [];
  const { ts } = await import("ts-morph");
  const sources = new Map<string, Source | undefined>();
  const sourceOf = (name: string): Source | undefined => {
    if (!sources.has(name)) {
      const text = read(name);
      const source =
        text === undefined ? undefined : { file: ts.parseJsonText(name, text), lines: text.split(/\r?\n/) };
      sources.set(name, source);
    }
    return sources.get(name);
  };
  const position = (place: Place): Position | undefined => {
    const source = sourceOf(place.file);
    return source && positionOf(ts, source, place);
  };
  return diagnostics
    .map((diagnostic) => {
      const found = position(diagnostic.place);
      return {
        ...diagnostic,
        position: found,
        sourceLine: found && sourceOf(diagnostic.place.file)?.lines[found.line - 1],
        related: diagnostic.related.map((related) => ({ ...related, position: position(related.place) })),
      };
    })
    .sort(byPosition);
};

/** Whatever the parser that finds the place takes without a word, and JSON does not know. */
const leniencies = (text: string): string =>
  text.trim() === "" ? "the file is empty" : "comments and trailing commas are not part of JSON";

export interface SyntaxFault extends TextRange {
  /** "':' expected". */
  readonly detail: string;
}

/**
 * Says where and why `text` is no JSON, given the error that `JSON.parse` threw. The parser that finds the place is
 * more lenient in two points, comments and trailing commas; there the engine's own position is used.
 */
export const findSyntaxFault = async (file: string, text: string, thrown: Error): Promise<SyntaxFault> => {
  const { ts } = await import("ts-morph");
  const { error } = ts.parseConfigFileTextToJson(file, text);
  if (error?.start !== undefined) {
    const detail = ts.flattenDiagnosticMessageText(error.messageText, " ").replace(/\.$/, "");
    return { start: error.start, length: error.length ?? 1, detail };
  }
  const start = Number(/position (\d+)/.exec(thrown.message)?.[1] ?? text.length);
  return { start, length: 1, detail: leniencies(text) };
};

export interface DuplicateKey {
  readonly key: string;
  readonly first: TextRange;
  readonly last: TextRange;
}

/** The keys that an object of the file names more than once, with their first and last place. */
export const findDuplicateKeys = async (name: string, text: string): Promise<DuplicateKey[]> => {
  const { ts } = await import("ts-morph");
  const file = ts.parseJsonText(name, text);
  const found: DuplicateKey[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const keys = new Map<string, TypeScript.Node[]>();
      for (const { name } of node.properties)
        if (name && ts.isStringLiteral(name)) keys.set(name.text, [...(keys.get(name.text) ?? []), name]);
      for (const [key, [first, ...others]] of keys) {
        const last = others.at(-1);
        if (first && last) found.push({ key, first: rangeOf(first), last: rangeOf(last) });
      }
    }
    ts.forEachChild(node, visit);
  };
  const rangeOf = (node: TypeScript.Node): TextRange => ({ start: node.getStart(file), length: node.getWidth(file) });
  visit(file);
  return found;
};
