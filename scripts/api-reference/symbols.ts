/** The exports of the package's entries: each symbol with its declaration and docstring, read from the sources. */
import path from "node:path";
import {
  type ArrowFunction,
  type ClassDeclaration,
  type ExportedDeclarations,
  type JSDoc,
  type MethodDeclaration,
  Node,
  Project,
  type VariableDeclaration,
} from "ts-morph";
import { packageEntries } from "../package-entries.ts";

/** A symbol that users may import. */
export interface ExportedSymbol {
  readonly name: string;
  /** Its declaration as TypeScript, without bodies. */
  readonly declaration: string;
  /** Its docstring; empty if it has none. */
  readonly description: string;
}

/** A module that users may import from. */
export interface Entry {
  /** `galley-cms/columns`. */
  readonly specifier: string;
  /** The first comment of the module. */
  readonly description: string;
  readonly symbols: readonly ExportedSymbol[];
}

const described = (docs: readonly JSDoc[]): string => {
  const [doc] = docs.slice(-1);
  if (!doc) return "";
  const tags = doc.getTags().map(
    (tag) =>
      `- ${tag
        .getText()
        .replace(/^@/, "")
        .replaceAll(/\s*\n\s*\*?\s*/g, " ")
        .trim()}`,
  );
  return [doc.getDescription().trim(), tags.join("\n")].filter(Boolean).join("\n\n");
};

/** Type parameters, parameters without defaults, and the result type if declared. */
const signature = (of: ArrowFunction | MethodDeclaration): string => {
  const generics = of.getTypeParameters().map((parameter) => parameter.getText());
  const parameters = of.getParameters().map((parameter) => {
    const optional = parameter.isOptional() ? "?" : "";
    return `${parameter.getName()}${optional}: ${parameter.getTypeNode()?.getText() ?? "unknown"}`;
  });
  const result = of.getReturnTypeNode()?.getText();
  return [
    generics.length > 0 ? `<${generics.join(", ")}>` : "",
    `(${parameters.join(", ")})`,
    result === undefined ? "" : `: ${result}`,
  ].join("");
};

/** A function in a constant, as its signature; factory-made functions by their type. */
const constantText = (name: string, declaration: VariableDeclaration): string => {
  const value = declaration.getInitializer();
  if (Node.isArrowFunction(value)) return `function ${name}${signature(value)}`;
  // Types of tables fill pages; types of functions made by other functions are short.
  const type = declaration.getType();
  return type.getCallSignatures().length > 0 ? `const ${name}: ${type.getText(declaration)}` : `const ${name}`;
};

/** A class by its methods, without their bodies. */
const classText = (name: string, declaration: ClassDeclaration): string => {
  const methods = declaration.getInstanceMethods().map((method) => {
    const docs = method.getJsDocs().map((comment) => `  ${comment.getText()}\n`);
    return `${docs.join("")}  ${method.getName()}${signature(method)};\n`;
  });
  return methods.length > 0 ? `class ${name} {\n${methods.join("")}}` : `class ${name}`;
};

const declarationText = (name: string, declaration: ExportedDeclarations): string => {
  if (Node.isVariableDeclaration(declaration)) return constantText(name, declaration);
  if (Node.isClassDeclaration(declaration)) return classText(name, declaration);
  return declaration.getText().replace(/^export /, "");
};

const descriptionOf = (declaration: ExportedDeclarations): string => {
  const holder = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : declaration;
  return Node.isJSDocable(holder) ? described(holder.getJsDocs()) : "";
};

/** The module's leading comment. */
const moduleDescription = (text: string): string =>
  (/^\/\*\*(?<comment>.*?)\*\//s.exec(text)?.groups?.["comment"] ?? "").replaceAll(/\n \* ?/g, "\n").trim();

/** Reads the entries that `package.json` in `root` exports. */
export const readEntries = (root: string): readonly Entry[] => {
  const project = new Project({
    tsConfigFilePath: path.join(root, "tsconfig.json"),
    skipAddingFilesFromTsConfig: true,
  });
  return packageEntries(root).flatMap(({ specifier, source: file }) => {
    const source = project.addSourceFileAtPath(path.join(root, file));
    return [
      {
        specifier,
        description: moduleDescription(source.getFullText()),
        symbols: [...source.getExportedDeclarations()].flatMap(([symbol, [declaration]]) =>
          declaration
            ? [
                {
                  name: symbol,
                  declaration: declarationText(symbol, declaration),
                  description: descriptionOf(declaration),
                },
              ]
            : [],
        ),
      },
    ];
  });
};
