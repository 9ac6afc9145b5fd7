/** Checks the operators on one scalar attribute. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import type { Condition, TextMatch } from "../query.ts";
import type { ScalarMember } from "../schema.ts";
import { cast, textOperand, truth } from "./cast.ts";
import { type CheckContext } from "./context.ts";
import { isLongList, listTooLong, type Place, unknownKey } from "./place.ts";

type Check = (context: CheckContext, member: ScalarMember, value: unknown, place: Place) => Condition | undefined;

const where = (place: Place): string => place.path ?? "filters";

const not = (item: Condition | undefined): Condition | undefined => item && { kind: "not", item };

/** A check that takes a single value, or a list whose conditions are joined by `or`; an empty list is no condition. */
const anyOf =
  (check: Check): Check =>
  (context, member, value, place) => {
    if (!Array.isArray(value)) return check(context, member, value, place);
    context.size.list(value.length, place);
    const items = value.map((item) => check(context, member, item, place)).filter((item) => item !== undefined);
    return items.length > 1 ? { kind: "or", items } : items[0];
  };

/** A comparison with null is neither true nor false in SQL. */
const unknown: Condition = { kind: "unknown" };

const compare = (operator: ">" | ">=" | "<" | "<="): Check =>
  anyOf((context, member, value, place) => {
    if (value === null) return unknown;
    const operand = cast(member.type, value, where(place));
    return { kind: "compare", field: member.name, operator, value: context.slot(operand) };
  });

const equal = anyOf((context, member, value, place) => {
  if (value === null) return { kind: "null", field: member.name };
  const operand = cast(member.type, value, where(place));
  return { kind: "compare", field: member.name, operator: "=", value: context.slot(operand) };
});

const different = anyOf((context, member, value, place) => {
  if (value === null) return not({ kind: "null", field: member.name });
  const operand = cast(member.type, value, where(place));
  return { kind: "compare", field: member.name, operator: "<>", value: context.slot(operand) };
});

/**
 * `$in`. An empty list is no condition. If the list contains null, the result for values not in the list is unknown, as
 * in SQL.
 */
const among: Check = (context, member, value, place) => {
  if (isRecord(value)) {
    const [first = ""] = Object.keys(value);
    throw isLongList(value) ? listTooLong(first, place, context.config.rest.arrayLimit) : unknownKey(first, place);
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) return undefined;
  context.size.list(list.length, place);
  const operands = list.filter((item) => item !== null).map((item) => String(cast(member.type, item, where(place))));
  const listed: Condition = { kind: "in", field: member.name, values: context.slot(operands) };
  return operands.length < list.length ? { kind: "or", items: [listed, unknown] } : listed;
};

const between: Check = (context, member, value, place) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [from, to, ...more] = list.map((item) => (item === null ? item : cast(member.type, item, where(place))));
  if (from === undefined || to === undefined || more.length > 0) {
    throw new ValidationError(`Invalid $between at ${where(place)}. Expected two values`);
  }
  if (from === null || to === null) return unknown;
  return { kind: "between", field: member.name, from: context.slot(from), to: context.slot(to) };
};

const isNull =
  (wanted: boolean): Check =>
  (_context, member, value) =>
    truth(value) === wanted ? { kind: "null", field: member.name } : not({ kind: "null", field: member.name });

const TEXT: ReadonlySet<ScalarType> = new Set(["string", "text", "richtext", "email", "uid", "enumeration"]);

const match = (kind: TextMatch, insensitive: boolean): Check =>
  anyOf((context, member, value, place) => {
    if (!insensitive && !TEXT.has(member.type)) {
      throw new ValidationError(`Invalid operator at ${where(place)}. $${kind} needs a text attribute`);
    }
    if (value === null && kind === "equals") return { kind: "null", field: member.name };
    const text = value === null ? "null" : textOperand(value, where(place));
    return { kind: "text", field: member.name, match: kind, insensitive, value: context.slot(pattern(kind, text)) };
  });

/** A LIKE pattern in which wildcards of the value are escaped. */
const pattern = (kind: TextMatch, text: string): string => {
  if (kind === "equals") return text;
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return `${kind === "startsWith" ? "" : "%"}${literal}${kind === "endsWith" ? "" : "%"}`;
};

const negated =
  (check: Check): Check =>
  (context, member, value, place) =>
    not(check(context, member, value, place));

/** The negated operators with a list: matches if the operator does not hold for at least one item. */
const noneOf = (check: Check): Check => anyOf(negated(check));

const superset: Check = (context, member, value, place) => {
  if (member.type !== "json") throw unknownKey("$jsonSupersetOf", place);
  return { kind: "superset", field: member.name, value: context.slot(cast("json", value, where(place))) };
};

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["$eq", equal],
  ["$ne", different],
  ["$eqi", match("equals", true)],
  ["$nei", noneOf(match("equals", true))],
  ["$gt", compare(">")],
  ["$gte", compare(">=")],
  ["$lt", compare("<")],
  ["$lte", compare("<=")],
  ["$in", among],
  ["$notIn", negated(among)],
  ["$between", between],
  ["$null", isNull(true)],
  ["$notNull", isNull(false)],
  ["$contains", match("contains", false)],
  ["$notContains", noneOf(match("contains", false))],
  ["$containsi", match("contains", true)],
  ["$notContainsi", noneOf(match("contains", true))],
  ["$startsWith", match("startsWith", false)],
  ["$startsWithi", match("startsWith", true)],
  ["$endsWith", match("endsWith", false)],
  ["$endsWithi", match("endsWith", true)],
  ["$not", noneOf((context, member, value, place) => checkField(context, member, value, place))],
  ["$jsonSupersetOf", superset],
]);

/** The operators that an attribute may have. `$and` and `$or` only join whole filters. */
export const attributeOperators: ReadonlySet<string> = new Set(CHECKS.keys());

/**
 * Checks the value that a scalar is compared with: a value, null, a list, or an object of operators that must all hold.
 */
export function checkField(
  context: CheckContext,
  member: ScalarMember,
  value: unknown,
  place: Place,
): Condition | undefined {
  context.size.compare(place);
  if (Array.isArray(value)) return checkList(context, member, value, place);
  if (!isRecord(value) || value instanceof Date) return equal(context, member, value, place);
  const items = Object.entries(value).map(([operator, operand]) => {
    const check = CHECKS.get(operator);
    if (check === undefined) throw unknownKey(operator, place);
    return check(context, member, operand, place);
  });
  const present = items.filter((item) => item !== undefined);
  return present.length > 1 ? { kind: "and", items: present } : present[0];
}

/** A bare list may contain values only. Operators in it, which come from repeated keys, match nothing. */
const checkList = (
  context: CheckContext,
  member: ScalarMember,
  list: readonly unknown[],
  place: Place,
): Condition | undefined => {
  const values = list.filter((item) => !isRecord(item) || item instanceof Date);
  return values.length === 0 && list.length > 0 ? unknown : among(context, member, values, place);
};
