/** Resolves an expression to its value within the files of the project. */
import path from "node:path";
import { Node, type SourceFile, type Statement } from "ts-morph";
import { type CodeReader, sourceOf } from "./parse.ts";

/** The maximum length of a chain of names, from constant to constant and from file to file. */
const MAX_STEPS = 8;

const ENDS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

/** The file that a module specifier resolves to; undefined for packages and missing files. */
export const moduleAt = (reader: CodeReader, from: string, name: string): string | undefined => {
  if (!name.startsWith(".")) return undefined;
  const base = path.posix.join(path.posix.dirname(from), name);
  const bases = /\.[cm]?js$/.test(base) ? [base, base.replace(/js$/, "ts")] : [base];
  return bases.flatMap((each) => ENDS.map((end) => `${each}${end}`)).find((file) => reader.files.has(file));
};

/** The left side of `module.exports = …`, `exports.name = …`: the exported name, "" for the whole. */
const exportedName = (left: string): string | undefined => {
  if (left === "module.exports" || left === "exports.default") return "";
  return /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
};

/** A file's exports, by name; `""` is the whole module, or its default export. */
export const exportsOf = (reader: CodeReader, file: string): ReadonlyMap<string, Node> => {
  const found = new Map<string, Node>();
  for (const statement of sourceOf(reader, file)?.getStatements() ?? []) {
    if (Node.isExportAssignment(statement)) found.set("", statement.getExpression());
    else if ((Node.isFunctionDeclaration(statement) || Node.isClassDeclaration(statement)) && statement.isExported())
      found.set(statement.isDefaultExport() ? "" : (statement.getName() ?? ""), statement);
    else if (Node.isExportDeclaration(statement) && !statement.hasModuleSpecifier())
      for (const each of statement.getNamedExports()) {
        const name = each.getAliasNode()?.getText() ?? each.getName();
        found.set(name === "default" ? "" : name, each.getNameNode());
      }
    else if (Node.isVariableStatement(statement) && statement.isExported())
      for (const each of statement.getDeclarations()) {
        const value = each.getInitializer();
        if (value) found.set(each.getName(), value);
      }
    else if (Node.isExpressionStatement(statement)) {
      const expression = statement.getExpression();
      if (!Node.isBinaryExpression(expression) || expression.getOperatorToken().getText() !== "=") continue;
      const name = exportedName(expression.getLeft().getText());
      if (name !== undefined) found.set(name, expression.getRight());
    }
  }
  return found;
};

const requiredModule = (node: Node): string | undefined => {
  if (!Node.isCallExpression(node) || node.getExpression().getText() !== "require") return undefined;
  const [name] = node.getArguments();
  return name && Node.isStringLiteral(name) ? name.getLiteralValue() : undefined;
};

const exportOf = (reader: CodeReader, from: Node, module: string, name: string): Node | undefined => {
  const file = moduleAt(reader, from.getSourceFile().getFilePath().slice(1), module);
  return file === undefined || file.endsWith(".json") ? undefined : exportsOf(reader, file).get(name);
};

/** The variable or parameter that a name refers to in its file, and the statements of its block. */
export const declarationOf = (node: Node): { declaration: Node; statements: readonly Statement[] } | undefined => {
  const name = node.getText();
  for (const scope of node.getAncestors()) {
    const isBlock = Node.isBlock(scope) || Node.isSourceFile(scope);
    const declaration = isBlock
      ? scope.getVariableDeclaration(name)
      : Node.isParametered(scope)
        ? scope.getParameter(name)
        : undefined;
    if (declaration) return { declaration, statements: isBlock ? scope.getStatements() : [] };
  }
  return undefined;
};

/** The constant or function of that name, in the enclosing blocks of the node. */
const around = (node: Node, name: string): Node | undefined => {
  for (const scope of node.getAncestors()) {
    if (!Node.isBlock(scope) && !Node.isSourceFile(scope)) continue;
    const variable = scope.getVariableDeclaration(name);
    const isWhole = variable !== undefined && Node.isIdentifier(variable.getNameNode());
    const own = (isWhole ? variable.getInitializer() : undefined) ?? scope.getFunction(name);
    if (own) return own;
  }
  return undefined;
};

/** A name destructured from a required module: `const { tasks } = require("./cron")`. */
const unpacked = (reader: CodeReader, source: SourceFile, name: string): Node | undefined => {
  for (const each of source.getVariableDeclarations()) {
    const pattern = each.getNameNode();
    const value = each.getInitializer();
    const module = value && requiredModule(value);
    if (!Node.isObjectBindingPattern(pattern) || module === undefined) continue;
    const found = pattern.getElements().find((element) => element.getName() === name);
    if (found) return exportOf(reader, each, module, found.getPropertyNameNode()?.getText() ?? name);
  }
  return undefined;
};

const declared = (reader: CodeReader, node: Node): Node | undefined => {
  const name = node.getText();
  const own = around(node, name);
  if (own) return own;
  for (const each of node.getSourceFile().getImportDeclarations()) {
    const module = each.getModuleSpecifierValue();
    if (each.getDefaultImport()?.getText() === name) return exportOf(reader, each, module, "");
    const imported = each.getNamedImports().find((one) => (one.getAliasNode()?.getText() ?? one.getName()) === name);
    if (imported) return exportOf(reader, each, module, imported.getName());
  }
  return unpacked(reader, node.getSourceFile(), name);
};

/** The expression's resolved value, without parentheses and types; the expression itself if unknown. */
export const resolved = (reader: CodeReader, node: Node, steps = MAX_STEPS): Node => {
  if (steps === 0) return node;
  const next = (inner: Node | undefined): Node => (inner ? resolved(reader, inner, steps - 1) : node);
  if (Node.isParenthesizedExpression(node) || Node.isAsExpression(node)) return next(node.getExpression());
  if (Node.isSatisfiesExpression(node) || Node.isNonNullExpression(node)) return next(node.getExpression());
  if (Node.isIdentifier(node)) return next(declared(reader, node));
  const module = requiredModule(node);
  return module === undefined ? node : next(exportOf(reader, node, module, ""));
};

/** A function's result, if that is one expression; anything else unchanged. */
export const returned = (reader: CodeReader, node: Node): Node => {
  const found = resolved(reader, node);
  const isFunction =
    Node.isArrowFunction(found) || Node.isFunctionExpression(found) || Node.isFunctionDeclaration(found);
  if (!isFunction) return found;
  const body = found.getBody();
  if (body === undefined || !Node.isBlock(body)) return body ? resolved(reader, body) : found;
  const value = body
    .getStatements()
    .findLast((each) => Node.isReturnStatement(each))
    ?.getExpression();
  if (!value) return found;
  return resolved(reader, value);
};
