/** Expressions of generated code, as small trees, so that the printer can lay them out. */
import { numberLiteral, stringLiteral } from "./literal.ts";

export interface CodeExpression {
  readonly kind: "code";
  /** One token or a chain of names: nothing in it can be broken over lines. */
  readonly text: string;
  readonly literal: "string" | "number" | undefined;
}
export interface ObjectExpression {
  readonly kind: "object";
  readonly members: readonly Property[];
  /** One member a line, also where all of them would fit on one. */
  readonly expanded?: true;
}
export interface ArrayExpression {
  readonly kind: "array";
  readonly items: readonly Expression[];
}
export interface CallExpression {
  readonly kind: "call";
  readonly callee: string;
  readonly arguments: readonly Expression[];
}
/** Calls on what calls before them return: `z.string().max(120).nullish()`. */
export interface ChainExpression {
  readonly kind: "chain";
  /** What the first call is made on. */
  readonly subject: CodeExpression | CallExpression;
  readonly calls: readonly CallExpression[];
}
export type Expression = CodeExpression | ObjectExpression | ArrayExpression | CallExpression | ChainExpression;

/** A property of an object: its name, unquoted, and its value. */
export type Property = readonly [name: string, value: Expression];

/** Source text that stands as it is, such as `articles.title`. Never text from a schema file. */
export const code = (text: string): CodeExpression => ({ kind: "code", text, literal: undefined });

export const text = (value: string): CodeExpression => ({
  kind: "code",
  text: stringLiteral(value),
  literal: "string",
});

export const number = (value: number): CodeExpression => ({
  kind: "code",
  text: numberLiteral(value),
  literal: "number",
});

export const array = (items: readonly Expression[]): ArrayExpression => ({ kind: "array", items });

/** Members whose value is undefined are left out. */
export const object = (members: readonly (readonly [string, Expression | undefined])[]): ObjectExpression => ({
  kind: "object",
  members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
});

/** An object with one member a line. */
export const expanded = (members: readonly Property[]): ObjectExpression => ({
  kind: "object",
  members,
  expanded: true,
});

export const call = (callee: string, ...args: readonly Expression[]): CallExpression => ({
  kind: "call",
  callee,
  arguments: args,
});

/** Another call on a subject or chain: `.callee(args)`. */
export const chained = (
  before: CodeExpression | CallExpression | ChainExpression,
  callee: string,
  ...args: readonly Expression[]
): ChainExpression => {
  const next: CallExpression = { kind: "call", callee, arguments: args };
  return before.kind === "chain"
    ? { ...before, calls: [...before.calls, next] }
    : { kind: "chain", subject: before, calls: [next] };
};

/** A call with options, or with none where there is nothing to say. */
export const callWith = (callee: string, args: readonly Expression[], options: ObjectExpression): CallExpression =>
  call(callee, ...args, ...(options.members.length > 0 ? [options] : []));

/** A JSON value. */
export const json = (value: unknown): Expression => {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return array(value.map(json));
  if (typeof value === "object" && value !== null) {
    // `__proto__` as a plain key would set the prototype.
    return object(
      Object.entries(value).map(([name, member]) => [name === "__proto__" ? `["__proto__"]` : name, json(member)]),
    );
  }
  return code(String(value));
};

/** `true` where a flag is set; undefined leaves the member out. */
export const flag = (set: boolean): CodeExpression | undefined => (set ? code("true") : undefined);

/** A JSON value that may be missing; undefined leaves the member out. */
export const optional = (value: unknown): Expression | undefined => (value === undefined ? undefined : json(value));
