import path from "node:path";
/** Starters as files: an extension for each type that has one, and `app.ts`. */
import { groupBy } from "../../../base/lists.ts";
import { keyText } from "../settings/setting.ts";
import { asComment, type Piece, type Section } from "./piece.ts";

const indented = (text: string, indent: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : `${indent}${line}`))
    .join("\n");

const commentOf = ({ at: { file, line }, original, remark }: Piece, indent: string): readonly string[] => [
  `${indent}// ${file}:${line}`,
  ...(original === "" ? [] : asComment(original, indent, file)),
  `${indent}// ${remark}`,
];

/** The first of those with the same name, preceded by the originals of all of them. */
const pieceText = (pieces: readonly Piece[], indent: string, end: string): string =>
  [
    ...pieces.flatMap((piece) => commentOf(piece, indent)),
    ...pieces.slice(0, 1).map(({ code }) => `${indented(code, indent)}${end}`),
  ].join("\n");

const texts = (pieces: readonly Piece[], section: Section, indent: string, end: string): readonly string[] => {
  const own = groupBy(
    pieces.filter((piece) => piece.section === section),
    ({ key }) => key,
  );
  return [...own.values()].map((same) => pieceText(same, indent, end));
};

const sectionText = (pieces: readonly Piece[], section: Section, indent: string): readonly string[] => {
  const inner = texts(pieces, section, `${indent}  `, ",");
  return inner.length === 0 ? [] : [`${indent}${keyText(section)}: {`, ...inner, `${indent}},`];
};

const routesText = (pieces: readonly Piece[]): readonly string[] => {
  const inner = texts(pieces, "routes", "    ", ";");
  return inner.length === 0 ? [] : ["  routes(router) {", ...inner, "  },"];
};

const restImport = (pieces: readonly Piece[]): readonly string[] => {
  const needs = [...new Set(pieces.flatMap(({ needs: own = [] }) => own))].toSorted();
  return needs.length === 0 ? [] : [`import { ${needs.join(", ")} } from "galley-cms/rest";`];
};

const importLines = (pieces: readonly Piece[], folder: string): readonly string[] => {
  const modules = new Map(pieces.flatMap(({ imports = [] }) => imports.map(({ name, file }) => [file, name] as const)));
  return [...modules]
    .map(([file, name]) => `import { ${name} } from "${path.posix.relative(folder, file)}";`)
    .toSorted();
};

/** @param folder the file's folder, relative to the root */
const extensionText = (uid: string, pieces: readonly Piece[], folder: string): string => {
  const rest = [...sectionText(pieces, "queries", "    "), ...sectionText(pieces, "policies", "    ")];
  return [
    'import { defineExtension } from "galley-cms";',
    ...restImport(pieces),
    ...importLines(pieces, folder),
    "",
    `export default defineExtension<${JSON.stringify(uid)}>({`,
    ...sectionText(pieces, "hooks", "  "),
    ...routesText(pieces),
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
    ...texts(pieces, "starting", "  ", ","),
    ...sectionText(pieces, "tasks", "  "),
    "});",
    "",
  ].join("\n");

/**
 * The files made of the pieces, relative to the root.
 *
 * @param folderOf the folder of a type's schema file, relative to the root
 */
export const starterTexts = (pieces: readonly Piece[], folderOf: (uid: string) => string, source: string) => {
  const byType = groupBy(pieces, ({ uid }) => uid);
  return [...byType].map(([uid, own]) => {
    if (uid === undefined) return { file: `${source}/app.ts`, text: appText(own), pieces: own };
    const folder = folderOf(uid);
    return { file: `${folder}/extension.ts`, text: extensionText(uid, own, folder), pieces: own };
  });
};
