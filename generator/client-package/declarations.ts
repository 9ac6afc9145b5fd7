/** The generated client's types as declarations that import only each other and the runtime's. */
import path from "node:path";
import { Node, Project, type SourceFile, SyntaxKind, ts, type TypeAliasDeclaration } from "ts-morph";
import { strictOptions } from "../commands/generate/strict-options.ts";

/** Where an import's types are in the package. */
const RUNTIME = new Map([
  ["galley-cms/client", "runtime/client/index.js"],
  ["galley-cms/document", "runtime/schema/document.js"],
  // The module itself imports Zod.
  ["galley-cms/validators", "runtime/schema/reference.js"],
]);

/** The names that printed types refer to. */
const NAMED = `import type { Blocks, Json } from "galley-cms/document";
import type { Changes, Many, MorphTarget, One, Placed, Position, Target } from "galley-cms/validators";
`;

const { InTypeAlias, MultilineObjectLiterals, NoTruncation, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags;
const PRINTED = InTypeAlias | MultilineObjectLiterals | NoTruncation | UseAliasDefinedOutsideCurrentScope;

/** Types that Zod infers from a validator. */
const inferredIn = (file: SourceFile): readonly TypeAliasDeclaration[] =>
  file.getTypeAliases().filter((alias) => alias.getTypeNode()?.getText().startsWith("z."));

/** Removes references to validators and tables: values, and members of augmentations that only servers use. */
const dropValues = (file: SourceFile): void => {
  for (const statement of file.getVariableStatements()) statement.remove();
  for (const member of file.getDescendantsOfKind(SyntaxKind.PropertySignature)) {
    if (Node.isTypeQuery(member.getTypeNode())) member.remove();
  }
};

/** A module specifier as it is in the package. */
const specifierIn = (file: string, specifier: string): string => {
  const moved = RUNTIME.get(specifier);
  if (moved === undefined) return specifier.replace(/\.ts$/, ".js");
  return path.posix.relative(path.posix.dirname(`generated/${file}`), moved);
};

/** The declarations of everything that the client in a generated folder refers to, by path below that folder. */
export const declarationsOf = (folder: string): ReadonlyMap<string, string> => {
  const { options } = ts.convertCompilerOptionsFromJson(strictOptions, folder);
  const project = new Project({ compilerOptions: { ...options, noEmit: false, declaration: true } });
  const client = project.addSourceFileAtPath(path.join(folder, "client/index.ts"));
  project.resolveSourceFileDependencies();
  const inFolder = (file: string): string => path.relative(folder, file).replaceAll(path.sep, "/");
  const files = project.getSourceFiles().filter((file) => !inFolder(file.getFilePath()).startsWith(".."));
  // All of them first: after a change, the compiler starts over.
  const inferred = files.flatMap(inferredIn).map((alias) => ({ alias, text: alias.getType().getText(alias, PRINTED) }));
  for (const { alias, text } of inferred) alias.setType(text);
  for (const file of new Set(inferred.map(({ alias }) => alias.getSourceFile()))) file.insertText(0, NAMED);
  for (const file of files) if (file !== client) dropValues(file);
  const emitted = project.emitToMemory({ emitOnlyDtsFiles: true }).getFiles();
  return new Map(
    emitted.map(({ filePath, text }) => {
      const file = inFolder(filePath);
      const moved = text.replaceAll(
        /((?:from |import\(|module ))"([^"]+)"/g,
        (_, before: string, specifier: string) => `${before}"${specifierIn(file, specifier)}"`,
      );
      return [file, moved];
    }),
  );
};
