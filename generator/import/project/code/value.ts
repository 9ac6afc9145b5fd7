/** Reads a configuration statically: values, and environment variables. */
import { type CallExpression, Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import { added, instead, put, returnsOf, type Step, stepsFor, unreadIn } from "./built.ts";
import { writtenMember } from "./members.ts";
import { type CodeReader, lineOf, MAX_DEPTH, type Place, placeOf } from "./parse.ts";
import { declarationOf, resolved } from "./resolve.ts";
import { type Cast, memberAt, type RecordValue, type Value } from "./value-type.ts";

/** Evaluates code by its declarations, with the values of parameters and of reassigned names. */
interface Follower extends CodeReader {
  readonly bound?: ReadonlyMap<Node, Value>;
}

const CASTS: ReadonlyMap<string, Cast> = new Map<string, Cast>([
  ["env", "text"],
  ["env.int", "int"],
  ["env.float", "float"],
  ["env.bool", "bool"],
  ["env.array", "array"],
  ["env.json", "json"],
]);

const NUMBERS: ReadonlySet<string> = new Set(["parseInt", "parseFloat", "Number"]);

const unknown = (node: Node): Value => ({ kind: "unknown", text: node.getText(), at: placeOf(node) });

const literal = (node: Node, value: string | number | boolean | null): Value => ({
  kind: "literal",
  value,
  at: placeOf(node),
});

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  "*": (left, right) => left * right,
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "/": (left, right) => left / right,
};

const binary = (reader: Follower, node: Node, depth: number): Value => {
  if (!Node.isBinaryExpression(node)) return unknown(node);
  const operator = node.getOperatorToken().getText();
  const left = valueOf(reader, node.getLeft(), depth + 1);
  const right = valueOf(reader, node.getRight(), depth + 1);
  const isFallback = operator === "||" || operator === "??";
  if (left.kind === "variable" && left.fallback === undefined && isFallback) return { ...left, fallback: right };
  if (left.kind === "literal" && left.value === null && isFallback) return right;
  if (operator === "&&") return instead(undefined, right, lineOf(node.getLeft()));
  const compute = arithmetic[operator];
  if (compute === undefined || left.kind !== "literal" || right.kind !== "literal") return unknown(node);
  if (typeof left.value !== "number" || typeof right.value !== "number") return unknown(node);
  return literal(node, compute(left.value, right.value));
};

const isFunction = (node: Node) =>
  Node.isFunctionDeclaration(node) || Node.isArrowFunction(node) || Node.isFunctionExpression(node);

/** A function's result for these arguments; anything but a function is a value. */
export const resultOf = (reader: Follower, node: Node, given: readonly Node[] = [], depth = 0): Value => {
  const found = resolved(reader, node);
  if (!isFunction(found)) return valueOf(reader, node, depth);
  const parameters = found.getParameters().flatMap((each, index): readonly (readonly [Node, Value])[] => {
    const argument = given[index];
    return argument && argument.getText() !== "env" ? [[each, valueOf(reader, argument, depth + 1)]] : [];
  });
  const inner = { ...reader, bound: new Map([...(reader.bound ?? []), ...parameters]) };
  const body = found.getBody();
  if (!Node.isBlock(body)) return body ? valueOf(inner, body, depth + 1) : unknown(node);
  const returns = returnsOf(body.getStatements());
  const all = body
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((each) => each.getAncestors().find(isFunction) === found);
  if (returns.length === 0 || returns.length < all.length) return unknown(node);
  const read = (step: Step): Value => valueOf(inner, step.node, depth + 1);
  const [last, ...others] = returns;
  const end = last && instead(undefined, read(last), last.condition);
  return others.reduce((before, step) => instead(before, read(step), step.condition), end ?? unknown(node));
};

/** The result of a function in the project. */
const given = (reader: Follower, node: CallExpression, depth: number): Value => {
  const callee = resolved(reader, node.getExpression());
  return isFunction(callee) ? resultOf(reader, callee, node.getArguments(), depth + 1) : unknown(node);
};

const empty = (at: Place): RecordValue => ({ kind: "record", members: new Map(), at });

/** The value of a name that code changes after its declaration; undefined if it does not. */
const built = (reader: Follower, node: Node, depth: number): Value | undefined => {
  const found = Node.isIdentifier(node) ? declarationOf(node) : undefined;
  if (found === undefined) return undefined;
  const { declaration, statements } = found;
  const bound = reader.bound?.get(declaration);
  const steps = bound ? [] : stepsFor(node.getText(), statements);
  if (steps.length === 0) return bound;
  const first = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
  return steps.reduce(
    (before: Value, step) => {
      if ("unread" in step) return before.kind === "record" ? unreadIn(before, step.unread) : unknown(step.unread);
      const inner = { ...reader, bound: new Map([...(reader.bound ?? []), [declaration, before] as const]) };
      const value = { ...valueOf(inner, step.node, depth + 1), at: placeOf(step.node) };
      if (!step.adds) return put(before, step.path, value, step.condition);
      const there = memberAt(before, step.path);
      const record = there?.kind === "record" ? there : empty(value.at);
      return put(before, step.path, added(record, value, step.condition, step.node), undefined);
    },
    first ? valueOf(reader, first, depth + 1) : empty(placeOf(declaration)),
  );
};

const call = (reader: Follower, node: Node, depth: number): Value => {
  if (!Node.isCallExpression(node)) return unknown(node);
  const callee = node.getExpression().getText();
  const [first, second] = node.getArguments();
  if (!CASTS.has(callee) && !NUMBERS.has(callee)) return given(reader, node, depth);
  if (first === undefined) return unknown(node);
  if (NUMBERS.has(callee)) {
    const inner = valueOf(reader, first, depth + 1);
    return inner.kind === "variable" ? { ...inner, cast: callee === "parseInt" ? "int" : "float" } : unknown(node);
  }
  const cast = CASTS.get(callee);
  if (cast === undefined || !Node.isStringLiteral(first)) return unknown(node);
  const fallback = second === undefined ? undefined : valueOf(reader, second, depth + 1);
  return { kind: "variable", name: first.getLiteralValue(), cast, fallback, at: placeOf(node) };
};

const record = (reader: Follower, node: ObjectLiteralExpression, depth: number): Value => {
  let found = empty(placeOf(node));
  for (const each of node.getProperties()) {
    const member = writtenMember(each);
    if (Node.isSpreadAssignment(each)) {
      found = added(found, valueOf(reader, each.getExpression(), depth + 1), undefined, each);
    } else if (member === undefined) found = unreadIn(found, each);
    else if (member.node.getText() !== "undefined") {
      const value = { ...valueOf(reader, member.node, depth + 1), at: placeOf(each) };
      found = { ...found, members: new Map([...found.members, [member.name, value]]) };
    }
  }
  return found;
};

/** A list element, or the elements of a spread list. */
const itemsOf = (reader: Follower, element: Node, depth: number): readonly Value[] => {
  if (!Node.isSpreadElement(element)) return [valueOf(reader, element, depth)];
  const inner = valueOf(reader, element.getExpression(), depth);
  return inner.kind === "list" ? inner.items : [unknown(element)];
};

const PROCESS = /^process\.env(?:\.([\w$]+)|\[["']([^"']+)["']\])$/;

/** An expression's value; nothing is run, so anything that needs running is unknown. */
export const valueOf = (reader: Follower, written: Node, depth = 0): Value => {
  if (depth > MAX_DEPTH || !reader.spend()) return unknown(written);
  const changed = built(reader, written, depth);
  if (changed) return changed;
  const node = resolved(reader, written);
  if (Node.isIdentifier(node) && node.getText() === "undefined") return literal(node, null);
  if (Node.isConditionalExpression(node)) {
    const otherwise = valueOf(reader, node.getWhenFalse(), depth + 1);
    return instead(otherwise, valueOf(reader, node.getWhenTrue(), depth + 1), lineOf(node.getCondition()));
  }
  if (Node.isObjectLiteralExpression(node)) return record(reader, node, depth);
  if (Node.isArrayLiteralExpression(node))
    return {
      kind: "list",
      items: node.getElements().flatMap((each) => itemsOf(reader, each, depth + 1)),
      at: placeOf(node),
    };
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node))
    return literal(node, node.getLiteralText());
  if (Node.isNumericLiteral(node)) return literal(node, node.getLiteralValue());
  if (Node.isTrueLiteral(node) || Node.isFalseLiteral(node)) return literal(node, Node.isTrueLiteral(node));
  if (Node.isNullLiteral(node)) return literal(node, null);
  if (Node.isPrefixUnaryExpression(node) && /^-\d/.test(node.getText())) return literal(node, Number(node.getText()));
  const [, dotted, quoted] = PROCESS.exec(node.getText()) ?? [];
  const name = dotted ?? quoted;
  if (name !== undefined) return { kind: "variable", name, cast: "text", fallback: undefined, at: placeOf(node) };
  if (Node.isBinaryExpression(node)) return binary(reader, node, depth);
  if (Node.isPropertyAccessExpression(node))
    return memberAt(valueOf(reader, node.getExpression(), depth + 1), [node.getName()]) ?? unknown(node);
  return call(reader, node, depth);
};
