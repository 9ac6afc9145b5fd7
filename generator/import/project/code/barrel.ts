/** Files that only re-export from other files of the project. */
import { Node } from "ts-morph";
import { type CodeReader, sourceOf } from "./parse.ts";

/** `require("./other")`. */
const isOwnModule = (node: Node | undefined): boolean => /^require\(["']\.[^"']*["']\)$/.test(node?.getText() ?? "");

const isGathered = (node: Node | undefined): boolean => Node.isIdentifier(node) || isOwnModule(node);

const isList = (node: Node): boolean =>
  Node.isObjectLiteralExpression(node) &&
  node
    .getProperties()
    .every(
      (each) =>
        Node.isShorthandPropertyAssignment(each) ||
        (Node.isPropertyAssignment(each) && isGathered(each.getInitializer())),
    );

const isExport = (node: Node): boolean => {
  if (Node.isExportAssignment(node)) return isList(node.getExpression());
  const expression = Node.isExpressionStatement(node) ? node.getExpression() : undefined;
  if (Node.isStringLiteral(expression)) return true;
  return (
    Node.isBinaryExpression(expression) &&
    /^(?:module\.)?exports\b/.test(expression.getLeft().getText()) &&
    (isList(expression.getRight()) || isGathered(expression.getRight()))
  );
};

const isImport = (node: Node): boolean => {
  if (Node.isImportDeclaration(node)) return node.getModuleSpecifierValue().startsWith(".");
  if (Node.isExportDeclaration(node)) return node.getModuleSpecifierValue()?.startsWith(".") ?? true;
  return Node.isVariableStatement(node) && node.getDeclarations().every((each) => isOwnModule(each.getInitializer()));
};

/** Whether the file is an `index` without code of its own: its exports are reported where they are defined. */
export const isBarrel = (reader: CodeReader, file: string): boolean => {
  const source = /\/index\.\w+$/.test(file) ? sourceOf(reader, file) : undefined;
  return source?.getStatements().every((each) => isImport(each) || isExport(each)) ?? false;
};
