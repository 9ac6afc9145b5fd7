/** Lines and columns of diagnostics. */
import { type Node, parseTree, visit } from "jsonc-parser";
import type { Diagnostic, Place, Related, TextRange } from "./diagnostic.ts";

/** Lines and columns count from 1; `width` counts UTF-16 code units and ends with the line. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly width: number;
}

export interface LocatedDiagnostic extends Diagnostic {
  readonly position: Position | undefined;
  /** The text of the line, if the file could be read. */
  readonly sourceLine: string | undefined;
  readonly related: readonly (Related & Pick<LocatedDiagnostic, "position">)[];
}

interface Source {
  readonly top: Node | undefined;
  readonly lines: readonly string[];
  /** The offset of each line. */
  readonly starts: readonly number[];
}

const sourceFrom = (text: string): Source => {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)];
  return { top: parseTree(text), lines: text.split(/\r\n|\r|\n/), starts };
};

const toPosition = ({ lines, starts }: Source, start: number, end: number): Position => {
  const line = starts.findLastIndex((begin) => begin <= start);
  const character = start - (starts[line] ?? 0);
  const rest = (lines[line] ?? "").length - character;
  return { line: line + 1, column: character + 1, width: Math.max(1, Math.min(end - start, rest)) };
};

interface Property {
  readonly name: Node;
  readonly value: Node | undefined;
}

/** The properties of an object in the text; none for anything else. */
export const properties = ({ type, children = [] }: Node): readonly Property[] =>
  type === "object" ? children.flatMap(({ children: [name, value] = [] }) => (name ? [{ name, value }] : [])) : [];

/** Of a repeated key the last one wins, as in JSON.parse. */
export const property = (node: Node, key: string): Property | undefined =>
  properties(node).findLast(({ name }) => name.value === key);

const element = ({ type, children = [] }: Node, index: number): Node | undefined =>
  type === "array" ? children[index] : undefined;

const isContainer = ({ type }: Node): boolean => type === "object" || type === "array";

/**
 * The position of the value, or of its deepest existing ancestor. An object or list is shown by its key if it has one:
 * its opening bracket says little.
 */
const locateNode = (source: Source, { path = [], at }: Place): Position | undefined => {
  if (!source.top) return undefined;
  let node = source.top;
  let target = source.top;
  for (const [depth, step] of path.entries()) {
    const found = typeof step === "string" ? property(node, step) : undefined;
    const value = typeof step === "number" ? element(node, step) : found?.value;
    if (!value) break;
    const byKey = (at === "key" && depth === path.length - 1) || isContainer(value);
    target = found && byKey ? found.name : value;
    node = value;
  }
  return toPosition(source, target.offset, target.offset + target.length);
};

const positionOf = (source: Source, place: Place): Position | undefined => {
  if (place.range) return toPosition(source, place.range.start, place.range.start + place.range.length);
  return place.path ? locateNode(source, place) : undefined;
};

const byPosition = (a: LocatedDiagnostic, b: LocatedDiagnostic): number =>
  compare(a.place.file, b.place.file) ||
  (a.position?.line ?? 0) - (b.position?.line ?? 0) ||
  (a.position?.column ?? 0) - (b.position?.column ?? 0) ||
  compare(a.code, b.code) ||
  compare(a.message, b.message);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Computes lines and columns, and sorts by file and position. `read` returns the text of a loaded file. Parses each
 * file only once.
 */
export const locate = (
  diagnostics: readonly Diagnostic[],
  read: (file: string) => string | undefined,
): LocatedDiagnostic[] => {
  const sources = new Map<string, Source | undefined>();
  const sourceOf = (name: string): Source | undefined => {
    if (!sources.has(name)) {
      const text = read(name);
      sources.set(name, text === undefined ? undefined : sourceFrom(text));
    }
    return sources.get(name);
  };
  const position = (place: Place): Position | undefined => {
    const source = sourceOf(place.file);
    return source && positionOf(source, place);
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

interface DuplicateKey {
  readonly key: string;
  readonly first: TextRange;
  readonly last: TextRange;
}

/** The duplicate keys in the text's objects, with their first and last positions. Builds no tree: few files have any. */
export const findDuplicateKeys = (text: string): readonly DuplicateKey[] => {
  const found: DuplicateKey[] = [];
  /** Of each object that has begun, its keys. */
  const open: Map<string, readonly TextRange[]>[] = [];
  visit(text, {
    onObjectBegin() {
      open.push(new Map());
    },
    onObjectProperty(key, start, length) {
      const keys = open.at(-1);
      const [first] = keys?.get(key) ?? [];
      keys?.set(key, first ? [first, { start, length }] : [{ start, length }]);
    },
    onObjectEnd() {
      for (const [key, [first, last]] of open.pop() ?? []) if (first && last) found.push({ key, first, last });
    },
  });
  return found;
};
