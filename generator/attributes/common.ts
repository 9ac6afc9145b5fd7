/** What all attribute types have in common. */
import type { Attribute } from "../model/model.ts";
import { type DocumentMember, modules, type Scope } from "./entry.ts";
import {
  call,
  type CallExpression,
  type ChainExpression,
  code,
  type CodeExpression,
  type Expression,
  flag,
  json,
  number,
  chained,
} from "./expression.ts";

type OptionalMember = readonly [string, Expression | undefined];

/** The flags of a descriptor, those that are set. */
export const descriptorFlags = (attribute: Attribute): readonly OptionalMember[] => [
  ["private", flag(attribute.private)],
  ["localized", flag(attribute.localized)],
  ["writable", attribute.writable ? undefined : code("false")],
];

type Schema = CodeExpression | CallExpression | ChainExpression;

/** Zod's own word for a type: `z.string()`. */
export const zod = (scope: Scope, callee: string, ...args: readonly Expression[]): ChainExpression =>
  chained(code(scope.value(modules.zod, "z")), callee, ...args);

/** The calls that set the limits of a schema, those that are set. */
export const limited = (schema: Schema, limits: readonly (readonly [string, number | undefined])[]): Schema =>
  limits.reduce<Schema>(
    (chain, [name, limit]) => (limit === undefined ? chain : chained(chain, name, number(limit))),
    schema,
  );

/** The default of an attribute, where it has one. */
export const standard = (value: unknown): Expression | undefined => (value === undefined ? undefined : json(value));

interface Modifiers {
  /** What an attribute that is not required is besides: `optional` is never null. */
  readonly absent: "nullish" | "optional";
  readonly default?: Expression | undefined;
}

/** What all schemas say of an attribute beside its type. */
export const modified = (attribute: Attribute, schema: Schema, modifiers: Modifiers, scope: Scope): Expression => {
  const { required, writable, condition } = attribute;
  const present = required ? schema : chained(schema, modifiers.absent);
  const complete = modifiers.default === undefined ? present : chained(present, "default", modifiers.default);
  const own = writable ? complete : chained(complete, "readonly");
  return condition === undefined ? own : call(scope.value(modules.validators, "when"), json(condition), own);
};

/** In no answer, whatever a query asks for. */
export const secret: DocumentMember = { optional: true, union: ["never"] };

/** Whether what is published has a value for certain: an attribute with a condition is not always asked for. */
export const isPresent = ({ required, condition }: Attribute): boolean => required && condition === undefined;

/** In every answer, unless it is private or `fields` leaves it out. Code with all rights may name what is private. */
export const scalarMember = (attribute: Attribute, types: readonly string[], scope: Scope): DocumentMember => {
  const union = isPresent(attribute) ? types : [...types, "null"];
  if (!attribute.private) return { optional: false, union };
  return { optional: true, union: [`${scope.type(modules.document, "Private")}<${union.join(" | ")}>`] };
};

/** In answers that populate it. What is private imports no type: `union` is not asked then. */
export const linkMember = (attribute: Attribute, union: () => readonly string[]): DocumentMember =>
  attribute.private ? secret : { optional: true, union: union() };
