/** Code that runs statement by statement: at startup, or to change plugins. */
import { Node } from "ts-morph";
import { exportedMembers } from "../code/members.ts";
import { type CodeReader, placeOf, quotedLine, sourceOf } from "../code/parse.ts";
import { exportsOf, resolved } from "../code/resolve.ts";
import { type Finding, finding, type FindingKind } from "./finding.ts";

const statementsOf = (node: Node): readonly Node[] => {
  const body = Node.isBodyable(node) || Node.isArrowFunction(node) ? node.getBody() : undefined;
  if (body === undefined) return [];
  return Node.isBlock(body) ? body.getStatements() : [body];
};

const isReturn = (node: Node): boolean =>
  Node.isReturnStatement(node) && /^return(?:\s+plugin)?;?$/.test(node.getText().trim());

/** The maximum depth of nested conditions. */
const MAX_NESTING = 6;

interface Step {
  readonly node: Node;
  /** Its enclosing conditions. */
  readonly conditions: readonly string[];
}

const inside = (node: Node): readonly Node[] => (Node.isBlock(node) ? node.getStatements() : [node]);

/** A statement, or those inside its condition or `try`. */
const stepsOf = (node: Node, conditions: readonly string[] = []): readonly Step[] => {
  const below = (nodes: readonly Node[], more: readonly string[]): readonly Step[] =>
    nodes.flatMap((each) => stepsOf(each, [...conditions, ...more]));
  if (conditions.length > MAX_NESTING) return [{ node, conditions }];
  if (Node.isTryStatement(node)) return below(node.getTryBlock().getStatements(), []);
  if (!Node.isIfStatement(node)) return [{ node, conditions }];
  const condition = quotedLine(node.getExpression());
  const otherwise = node.getElseStatement();
  return [
    ...below(inside(node.getThenStatement()), [`if ${condition}`]),
    ...(otherwise ? below(inside(otherwise), [`if not ${condition}`]) : []),
  ];
};

const tell = (kind: FindingKind, owner: string, nodes: readonly Node[]): readonly Finding[] =>
  nodes
    .flatMap((node) => stepsOf(node))
    .filter(({ node }) => !isReturn(node))
    .map(({ node, conditions }) => ({
      ...finding(kind, `${owner}: ${quotedLine(node)}`, placeOf(node), conditions.join(", ")),
      ...(node.getText().startsWith("console.") && { isMinor: true }),
    }));

/** The statements of `register`, `bootstrap` and `destroy` in `src/index`. */
export const startFindings = (reader: CodeReader, file: string): readonly Finding[] => {
  const members = exportedMembers(reader, file);
  const found = members.flatMap(({ name, node }) => tell("bootstrap", name, statementsOf(resolved(reader, node))));
  if (found.length > 0 || members.length > 0) return found;
  return [finding("bootstrap", "what the file does", file)];
};

/** The statements of a file's only exported function: a plugin's extension, or its startup. */
export const functionFindings = (
  reader: CodeReader,
  file: string,
  kind: FindingKind,
  owner: string,
): readonly Finding[] => {
  const exported = exportsOf(reader, file).get("");
  const found = exported ? tell(kind, owner, statementsOf(resolved(reader, exported))) : [];
  return found.length > 0 ? found : [finding(kind, owner, file)];
};

const EXPORTED = /^(?:module\.)?exports\b/;

/** A file's side effects when loaded, besides declarations and exports. */
export const loadingFindings = (reader: CodeReader, file: string): readonly Finding[] => {
  const statements = (sourceOf(reader, file)?.getStatements() ?? []).filter((each) => {
    if (!Node.isExpressionStatement(each)) return false;
    const expression = each.getExpression();
    return !Node.isStringLiteral(expression) && !EXPORTED.test(expression.getText());
  });
  return tell("bootstrap", "when the file is loaded", statements);
};
