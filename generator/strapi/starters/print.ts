import path from "node:path";
/** Starters as files: an extension for each type that has one, and `app.ts`. */
import { groupBy } from "../group-by.ts";
import { keyText } from "../settings/setting.ts";
import { asComment, type Piece, type Section } from "./piece.ts";

const indented = (text: string, indent: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : `${indent}${line}`))
    .join("\n");

const pieceText = (piece: Piece, indent: string): string => {
  const { file, line } = piece.at;
  return [
    `${indent}// ${file}:${line}`,
    ...(piece.original === "" ? [] : asComment(piece.original, indent, file)),
    `${indent}// ${piece.remark}`,
    `${indented(piece.code, indent)},`,
  ].join("\n");
};

/** One of each name: the first. */
const once = (pieces: readonly Piece[]): readonly Piece[] =>
  [...new Map(pieces.toReversed().map((piece) => [piece.key, piece])).values()].toReversed();

const sectionText = (pieces: readonly Piece[], section: Section, indent: string): readonly string[] => {
  const own = once(pieces.filter((piece) => piece.section === section));
  if (own.length === 0) return [];
  const inner = own.map((piece) => pieceText(piece, `${indent}  `));
  return [`${indent}${keyText(section)}: {`, ...inner, `${indent}},`];
};

const importLines = (pieces: readonly Piece[], folder: string): readonly string[] => {
  const modules = new Map(pieces.flatMap(({ imports = [] }) => imports.map(({ name, file }) => [file, name] as const)));
  return [...modules]
    .map(([file, name]) => `import { ${name} } from "${path.posix.relative(folder, file)}";`)
    .toSorted();
};

/** @param folder where the file goes, relative to the root */
const extensionText = (uid: string, pieces: readonly Piece[], folder: string): string => {
  const rest = [...sectionText(pieces, "queries", "    "), ...sectionText(pieces, "policies", "    ")];
  return [
    'import { defineExtension } from "galley-cms";',
    ...importLines(pieces, folder),
    "",
    `export default defineExtension<${JSON.stringify(uid)}>({`,
    ...sectionText(pieces, "hooks", "  "),
    ...(rest.length === 0 ? [] : ["  rest: {", ...rest, "  },"]),
    "});",
    "",
  ].join("\n");
};

const appText = (pieces: readonly Piece[]): string =>
  [
    'import { defineApp } from "galley-cms";',
    "",
    "export default defineApp({",
    ...sectionText(pieces, "tasks", "  "),
    "});",
    "",
  ].join("\n");

export interface StarterFile {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/**
 * The files that the pieces make.
 *
 * @param folderOf where the schema file of a type goes, relative to the root
 */
export const starterTexts = (
  pieces: readonly Piece[],
  folderOf: (uid: string) => string,
  source: string,
): readonly StarterFile[] => {
  const byType = groupBy(pieces, ({ uid }) => uid);
  return [...byType].map(([uid, own]) => {
    if (uid === undefined) return { file: `${source}/app.ts`, text: appText(own), pieces: own };
    const folder = folderOf(uid);
    return { file: `${folder}/extension.ts`, text: extensionText(uid, own, folder), pieces: own };
  });
};
