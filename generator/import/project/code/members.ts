/** The members of an object that code exports. */
import { Node, type ObjectLiteralElementLike } from "ts-morph";
import { type CodeReader, MAX_DEPTH } from "./parse.ts";
import { exportsOf, resolved, returned } from "./resolve.ts";

export interface Member {
  readonly name: string;
  /** Its implementation: a method, or the value. */
  readonly node: Node;
  /** The whole member's source, for comments. */
  readonly whole: Node;
}

const nameOf = (node: Node): string | undefined => {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  if (Node.isIdentifier(node) || Node.isNumericLiteral(node)) return node.getText();
  return Node.isComputedPropertyName(node) ? nameOf(node.getExpression()) : undefined;
};

/** The members of an object literal, including those of spread constants. */
export const membersOf = (reader: CodeReader, node: Node, depth = 0): readonly Member[] => {
  const found = resolved(reader, node);
  if (!Node.isObjectLiteralExpression(found) || depth > MAX_DEPTH || !reader.spend()) return [];
  return found.getProperties().flatMap((each): readonly Member[] => {
    if (Node.isSpreadAssignment(each)) return membersOf(reader, each.getExpression(), depth + 1);
    const member = writtenMember(each);
    return member ? [member] : [];
  });
};

/** A member's source; undefined if only running the code reveals its name. */
export const writtenMember = (each: ObjectLiteralElementLike): Member | undefined => {
  const name = Node.isSpreadAssignment(each) ? undefined : nameOf(each.getNameNode());
  if (name === undefined) return undefined;
  if (Node.isPropertyAssignment(each)) return { name, node: each.getInitializer() ?? each, whole: each };
  return { name, node: Node.isShorthandPropertyAssignment(each) ? each.getNameNode() : each, whole: each };
};

export const memberOf = (reader: CodeReader, node: Node, name: string): Node | undefined =>
  membersOf(reader, node).findLast((each) => each.name === name)?.node;

/** The last argument of a call such as `createCoreController(uid, () => ({ … }))`, or the result of a function. */
const madeBy = (reader: CodeReader, node: Node): Node => {
  const found = returned(reader, node);
  const last = Node.isCallExpression(found) ? found.getArguments().at(-1) : undefined;
  return last ? returned(reader, last) : found;
};

/** The class of an instance, or the class that is itself exported. */
const classOf = (node: Node): Node | undefined =>
  Node.isNewExpression(node) ? node.getSourceFile().getClass(node.getExpression().getText()) : node;

const methodsOf = (node: Node): readonly Member[] => {
  const found = classOf(node);
  if (!Node.isClassDeclaration(found) && !Node.isClassExpression(found)) return [];
  return found.getMethods().map((method) => ({ name: method.getName(), node: method, whole: method }));
};

/** The members of a file's exports, as one object or by name; for a factory, those of its result. */
export const exportedMembers = (reader: CodeReader, file: string): readonly Member[] => {
  const exported = exportsOf(reader, file);
  const named = [...exported].flatMap(([name, node]) => (name === "" ? [] : [{ name, node, whole: node }]));
  const whole = exported.get("");
  if (whole === undefined) return named;
  const made = madeBy(reader, whole);
  return [...membersOf(reader, made), ...methodsOf(made), ...named];
};
