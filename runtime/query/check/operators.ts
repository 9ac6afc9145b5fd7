/** Checks the operators on one scalar attribute. */
import { ValidationError } from "../../base/errors.ts";
import { isOperator, type Operator, type TextMatch } from "../../base/filter-operators.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import type { Condition, QueryPath } from "../query.ts";
import type { ScalarMember } from "../schema.ts";
import { cast, textOperand, truth } from "./cast.ts";
import type { Position } from "./context.ts";
import { isLongList, listTooLong, unknownKey } from "./position.ts";

type Check = (at: Position, member: ScalarMember, value: unknown) => Condition | undefined;

const where = ({ path }: QueryPath): string => path ?? "filters";

/** Joins conditions; undefined when there are none. */
export const joined = (kind: "and" | "or", items: readonly (Condition | undefined)[]): Condition | undefined => {
  const present = items.filter((item) => item !== undefined);
  return present.length > 1 ? { kind, items: present } : present[0];
};

/** Negates a condition, if there is one. */
export const not = (item: Condition | undefined): Condition | undefined => item && { kind: "not", item };

/**
 * The condition of an empty list: none in a client's query, as the wire format has it. In filters of code, nothing is in
 * the list: code that computes what somebody may read must not show everything to those who may read nothing.
 */
export const inEmptyList = ({ context }: Position): Condition | undefined =>
  context.isTrusted ? { kind: "in", field: "id", values: context.slot([]) } : undefined;

/** A check that takes a single value, or a list whose conditions are joined by `or`. */
const anyOf =
  (check: Check): Check =>
  (at, member, value) => {
    if (!Array.isArray(value)) return check(at, member, value);
    if (value.length === 0) return inEmptyList(at);
    at.context.budget.count("listValues", at, value.length);
    return joined(
      "or",
      value.map((item) => check(at, member, item)),
    );
  };

/** A comparison with null is neither true nor false in SQL. */
const unknown: Condition = { kind: "unknown" };

type Comparison = Extract<Condition, { readonly kind: "compare" }>["operator"];

const compare = (
  operator: Comparison,
  withNull: (member: ScalarMember) => Condition | undefined = () => unknown,
): Check =>
  anyOf((at, member, value) => {
    if (value === null) return withNull(member);
    const operand = cast(member.type, value, where(at));
    return { kind: "compare", field: member.name, operator, value: at.context.slot(operand) };
  });

const isNothing = ({ name }: ScalarMember): Condition => ({ kind: "null", field: name });

const equal = compare("=", isNothing);

/** `$in`. If the list contains null, the result for values not in the list is unknown, as in SQL. */
const among: Check = (at, member, value) => {
  if (isRecord(value)) {
    const [first = ""] = Object.keys(value);
    throw isLongList(value) ? listTooLong(first, at, at.context.config.rest.arrayLimit) : unknownKey(first, at);
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) return inEmptyList(at);
  at.context.budget.count("listValues", at, list.length);
  const operands = list.filter((item) => item !== null).map((item) => String(cast(member.type, item, where(at))));
  const listed: Condition = { kind: "in", field: member.name, values: at.context.slot(operands) };
  return operands.length < list.length ? { kind: "or", items: [listed, unknown] } : listed;
};

const between: Check = (at, member, value) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [from, to, ...more] = list.map((item) => (item === null ? item : cast(member.type, item, where(at))));
  if (from === undefined || to === undefined || more.length > 0) {
    throw new ValidationError(`Invalid $between at ${where(at)}. Expected two values`);
  }
  if (from === null || to === null) return unknown;
  return { kind: "between", field: member.name, from: at.context.slot(from), to: at.context.slot(to) };
};

const isNull =
  (wanted: boolean): Check =>
  (_at, member, value) =>
    truth(value) === wanted ? isNothing(member) : not(isNothing(member));

const TEXT: ReadonlySet<ScalarType> = new Set(["string", "text", "richtext", "email", "uid", "enumeration"]);

const match = (kind: TextMatch, insensitive: boolean): Check =>
  anyOf((at, member, value) => {
    if (!insensitive && !TEXT.has(member.type)) {
      throw new ValidationError(`Invalid operator at ${where(at)}. $${kind} needs a text attribute`);
    }
    if (value === null && kind === "equals") return isNothing(member);
    const text = value === null ? "null" : textOperand(value, where(at));
    return { kind: "text", field: member.name, match: kind, insensitive, value: at.context.slot(PATTERNS[kind](text)) };
  });

/** A text with its LIKE wildcards escaped. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** What a column is compared with. */
const PATTERNS: Readonly<Record<TextMatch, (text: string) => string>> = {
  equals: (text) => text,
  contains: (text) => `%${literal(text)}%`,
  startsWith: (text) => `${literal(text)}%`,
  endsWith: (text) => `%${literal(text)}`,
};

const negated =
  (check: Check): Check =>
  (at, member, value) =>
    not(check(at, member, value));

/** The negated operators with a list: match if the operator does not hold for at least one item. */
const noneOf = (check: Check): Check => anyOf(negated(check));

const superset: Check = (at, member, value) => {
  if (member.type !== "json") throw unknownKey("$jsonSupersetOf", at);
  return { kind: "superset", field: member.name, value: at.context.slot(cast("json", value, where(at))) };
};

const CHECKS: Readonly<Record<Operator, Check>> = {
  $eq: equal,
  $ne: compare("<>", (member) => not(isNothing(member))),
  $eqi: match("equals", true),
  $nei: noneOf(match("equals", true)),
  $gt: compare(">"),
  $gte: compare(">="),
  $lt: compare("<"),
  $lte: compare("<="),
  $in: among,
  $notIn: negated(among),
  $between: between,
  $null: isNull(true),
  $notNull: isNull(false),
  $contains: match("contains", false),
  $notContains: noneOf(match("contains", false)),
  $containsi: match("contains", true),
  $notContainsi: noneOf(match("contains", true)),
  $startsWith: match("startsWith", false),
  $startsWithi: match("startsWith", true),
  $endsWith: match("endsWith", false),
  $endsWithi: match("endsWith", true),
  $not: noneOf((at, member, value) => checkField(at, member, value)),
  $jsonSupersetOf: superset,
};

/**
 * Checks the value that a scalar is compared with: a value, null, a list, or an object of operators that must all hold.
 */
export function checkField(at: Position, member: ScalarMember, value: unknown): Condition | undefined {
  at.context.budget.count("comparisons", at);
  if (Array.isArray(value)) return checkList(at, member, value);
  if (!isRecord(value) || value instanceof Date) return equal(at, member, value);
  const items = Object.entries(value).map(([operator, operand]) => {
    if (!isOperator(operator)) throw unknownKey(operator, at);
    return CHECKS[operator](at, member, operand);
  });
  return joined("and", items);
}

/** A bare list may contain values only. Operators in it, which come from repeated keys, match nothing. */
const checkList = (at: Position, member: ScalarMember, list: readonly unknown[]): Condition | undefined => {
  const values = list.filter((item) => !isRecord(item) || item instanceof Date);
  return values.length === 0 && list.length > 0 ? unknown : among(at, member, values);
};
