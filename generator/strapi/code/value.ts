/** What a configuration says, as far as reading tells: values, and variables of the environment. */
import { type CallExpression, Node, SyntaxKind } from "ts-morph";
import { membersOf } from "./members.ts";
import { type CodeReader, MAX_DEPTH, type Place, placeOf } from "./parse.ts";
import { resolved, returned } from "./resolve.ts";

/** How a variable's text becomes a value. */
export type Cast = "text" | "int" | "float" | "bool" | "array" | "json";

export type Value = { readonly at: Place } & (
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "record"; readonly members: ReadonlyMap<string, Value> }
  | { readonly kind: "variable"; readonly name: string; readonly cast: Cast; readonly fallback: Value | undefined }
  | { readonly kind: "unknown"; readonly text: string }
);

export type RecordValue = Extract<Value, { readonly kind: "record" }>;

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

const binary = (reader: CodeReader, node: Node, depth: number): Value => {
  if (!Node.isBinaryExpression(node)) return unknown(node);
  const operator = node.getOperatorToken().getText();
  const left = valueOf(reader, node.getLeft(), depth + 1);
  const right = valueOf(reader, node.getRight(), depth + 1);
  if (left.kind === "variable" && left.fallback === undefined && (operator === "||" || operator === "??"))
    return { ...left, fallback: right };
  const compute = arithmetic[operator];
  if (compute === undefined || left.kind !== "literal" || right.kind !== "literal") return unknown(node);
  if (typeof left.value !== "number" || typeof right.value !== "number") return unknown(node);
  return literal(node, compute(left.value, right.value));
};

/** What a function of the project returns, where it can return one thing only. */
const given = (reader: CodeReader, node: CallExpression, depth: number): Value => {
  const callee = resolved(reader, node.getExpression());
  const isFunction = Node.isFunctionDeclaration(callee) || Node.isArrowFunction(callee);
  const returns = callee.getDescendantsOfKind(SyntaxKind.ReturnStatement).length;
  if (!isFunction || returns > 1) return unknown(node);
  const result = returned(reader, callee);
  return result === callee ? unknown(node) : valueOf(reader, result, depth + 1);
};

const call = (reader: CodeReader, node: Node, depth: number): Value => {
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

const record = (reader: CodeReader, node: Node, depth: number): Value => {
  const members = membersOf(reader, node).map(
    ({ name, node: inner, whole }) => [name, { ...valueOf(reader, inner, depth + 1), at: placeOf(whole) }] as const,
  );
  return { kind: "record", members: new Map(members), at: placeOf(node) };
};

/** An element of a list, or those of a list that is spread into it. */
const itemsOf = (reader: CodeReader, element: Node, depth: number): readonly Value[] => {
  if (!Node.isSpreadElement(element)) return [valueOf(reader, element, depth)];
  const inner = valueOf(reader, element.getExpression(), depth);
  return inner.kind === "list" ? inner.items : [unknown(element)];
};

const PROCESS = /^process\.env(?:\.([\w$]+)|\[["']([^"']+)["']\])$/;

/** What an expression says; nothing is run, so that what only running tells is unknown. */
export const valueOf = (reader: CodeReader, written: Node, depth = 0): Value => {
  if (depth > MAX_DEPTH || !reader.spend()) return unknown(written);
  const node = resolved(reader, written);
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
  return call(reader, node, depth);
};
