/** Values that code builds step by step: with assignments, conditions, and functions with several returns. */
import { Node, type Statement, SyntaxKind } from "ts-morph";
import { lineOf, placeOf } from "./parse.ts";
import type { RecordValue, Value } from "./value-type.ts";

/** A part of a value, and the condition under which it exists. */
export interface Step {
  /** The path at which it is assigned; empty for the whole value. */
  readonly path: readonly string[];
  readonly node: Node;
  readonly condition?: string | undefined;
  /** Whether the node's members are merged into the existing value. */
  readonly adds?: boolean;
}

/** Code that changes a value in a way that cannot be read. */
export interface Unread {
  readonly unread: Node;
}

const both = (outer: string | undefined, inner: string): string =>
  outer === undefined ? inner : `${outer} and ${inner}`;

type Visit<Result> = (statement: Statement, condition: string | undefined) => readonly Result[];

/** Visits statements in execution order, with their enclosing conditions. */
const through = <Result>(statements: readonly Statement[], visit: Visit<Result>, condition?: string): Result[] =>
  statements.flatMap((statement): readonly Result[] => {
    const inner = (node: Statement | undefined, when: string | undefined): Result[] =>
      node ? through(Node.isBlock(node) ? node.getStatements() : [node], visit, when) : [];
    if (Node.isBlock(statement)) return inner(statement, condition);
    if (Node.isTryStatement(statement)) return inner(statement.getTryBlock(), condition);
    if (!Node.isIfStatement(statement)) return visit(statement, condition);
    const when = lineOf(statement.getExpression());
    const otherwise = inner(statement.getElseStatement(), both(condition, `not (${when})`));
    return [...otherwise, ...inner(statement.getThenStatement(), both(condition, when))];
  });

/** A function's possible results, last first: earlier ones apply under their conditions. */
export const returnsOf = (statements: readonly Statement[]): readonly Step[] =>
  through(statements, (statement, condition): readonly Step[] => {
    const node = Node.isReturnStatement(statement) ? statement.getExpression() : undefined;
    return node ? [{ path: [], node, condition }] : [];
  }).toReversed();

/** The name and the members that an expression such as `plugins.upload["config"]` refers to. */
const target = (node: Node): { readonly name: string; readonly path: readonly string[] } | undefined => {
  if (Node.isIdentifier(node)) return { name: node.getText(), path: [] };
  const isAccess = Node.isPropertyAccessExpression(node) || Node.isElementAccessExpression(node);
  const of = isAccess ? target(node.getExpression()) : undefined;
  const argument = Node.isElementAccessExpression(node) ? node.getArgumentExpression() : undefined;
  const member = Node.isPropertyAccessExpression(node)
    ? node.getName()
    : Node.isStringLiteral(argument)
      ? argument.getLiteralValue()
      : undefined;
  return of && member !== undefined ? { name: of.name, path: [...of.path, member] } : undefined;
};

const mentions = (node: Node, name: string): boolean =>
  node.getDescendantsOfKind(SyntaxKind.Identifier).some((each) => each.getText() === name);

/** What an expression statement does to the value of a name; undefined if nothing. */
const effect = (node: Node, name: string): Omit<Step, "condition">[] | undefined => {
  if (Node.isBinaryExpression(node) && /^(?:\?\?|\|\|)?=$/.test(node.getOperatorToken().getText())) {
    const to = target(node.getLeft());
    return to?.name === name ? [{ path: to.path, node: node.getRight() }] : undefined;
  }
  if (!Node.isCallExpression(node) || node.getExpression().getText() !== "Object.assign") return undefined;
  const [first, ...rest] = node.getArguments();
  const to = first && target(first);
  return to?.name === name ? rest.map((each) => ({ path: to.path, node: each, adds: true })) : undefined;
};

const HARMLESS = /^(?:console|strapi\.log)\b|^JSON\.stringify$/;

/** Whether code may change the value of a name in a way that cannot be read. */
const mayChange = (statement: Statement, name: string): boolean => {
  const isRoot = (node: Node | undefined): boolean => node !== undefined && target(node)?.name === name;
  return statement.getDescendants().some((node) => {
    if (Node.isDeleteExpression(node)) return isRoot(node.getExpression());
    if (Node.isBinaryExpression(node) && /[^=!<>]=$|^=$/.test(node.getOperatorToken().getText()))
      return mentions(node.getLeft(), name) || isRoot(node.getLeft());
    if (!Node.isCallExpression(node) || HARMLESS.test(node.getExpression().getText())) return false;
    return node.getArguments().some(isRoot);
  });
};

/** What the statements do to the declared value of a name, in order. */
export const stepsFor = (name: string, statements: readonly Statement[]): readonly (Step | Unread)[] =>
  through(statements, (statement, condition): readonly (Step | Unread)[] => {
    const found = Node.isExpressionStatement(statement) ? effect(statement.getExpression(), name) : undefined;
    if (found) return found.map((each) => ({ ...each, condition }));
    return !Node.isFunctionDeclaration(statement) && mayChange(statement, name) ? [{ unread: statement }] : [];
  });

/** Attaches a condition to a value and everything in it. */
const under = (value: Value, condition: string, otherwise: Value | undefined): Value => {
  const own = { ...value, condition: value.condition === undefined ? condition : both(condition, value.condition) };
  if (own.kind !== "record") return { ...own, otherwise };
  const there = otherwise?.kind === "record" ? otherwise.members : new Map<string, Value>();
  const members = [...own.members].map(([name, member]) => [name, under(member, condition, there.get(name))] as const);
  return { ...own, members: new Map([...there, ...members]) };
};

/** A value that replaces another one, which applies if the condition does not hold. */
export const instead = (before: Value | undefined, value: Value, condition: string | undefined): Value =>
  condition === undefined ? value : under(value, condition, before);

/** A record with a value at a path. */
export const put = (before: Value, path: readonly string[], value: Value, condition: string | undefined): Value => {
  const [first, ...rest] = path;
  if (first === undefined) return instead(before, value, condition);
  if (before.kind !== "record") return before;
  const member = before.members.get(first) ?? { kind: "record", members: new Map<string, Value>(), at: value.at };
  const inner =
    rest.length === 0 ? instead(before.members.get(first), value, condition) : put(member, rest, value, condition);
  return { ...before, members: new Map([...before.members, [first, inner]]) };
};

/** A record with the members of another value merged in; a value that is no record is unreadable code. */
export const added = (before: RecordValue, value: Value, condition: string | undefined, node: Node): RecordValue => {
  if (value.kind === "literal") return before;
  if (value.kind !== "record") return unreadIn(before, node);
  const members = [...value.members].map(
    ([name, member]) => [name, instead(before.members.get(name), member, condition)] as const,
  );
  return {
    ...before,
    members: new Map([...before.members, ...members]),
    unread: [...unreadOf(before), ...unreadOf(value)],
  };
};

const unreadOf = (value: Value): readonly Value[] => (value.kind === "record" ? (value.unread ?? []) : []);

/** A record that unreadable code changes. */
export const unreadIn = (before: RecordValue, node: Node): RecordValue => ({
  ...before,
  unread: [...unreadOf(before), { kind: "unknown", text: lineOf(node), at: placeOf(node) }],
});
