/** JSON logic, as far as schema files use it to make an attribute depend on its siblings. */
import type { Json } from "../content-type.ts";

type Values = Readonly<Record<string, unknown>>;

const isOperation = (logic: Json): logic is Readonly<Record<string, Json>> =>
  typeof logic === "object" && logic !== null && !Array.isArray(logic);

/** Negative, zero or positive; NaN where the two have no order. */
const order = (left: unknown, right: unknown): number => {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left !== "string" || typeof right !== "string") return Number.NaN;
  return left === right ? 0 : left < right ? -1 : 1;
};

const operators: Readonly<Record<string, (operands: readonly unknown[]) => unknown>> = {
  "==": ([left, right]) => left === right,
  "===": ([left, right]) => left === right,
  "!=": ([left, right]) => left !== right,
  "!==": ([left, right]) => left !== right,
  "!": ([value]) => !value,
  "!!": ([value]) => Boolean(value),
  and: (operands) => operands.every(Boolean),
  or: (operands) => operands.some(Boolean),
  in: ([value, list]) => Array.isArray(list) && list.includes(value),
  ">": ([left, right]) => order(left, right) > 0,
  ">=": ([left, right]) => order(left, right) >= 0,
  "<": ([left, right]) => order(left, right) < 0,
  "<=": ([left, right]) => order(left, right) <= 0,
};

const evaluate = (logic: Json, values: Values): unknown => {
  if (!isOperation(logic)) return logic;
  const [entry] = Object.entries(logic);
  if (!entry) return true;
  const [name, raw] = entry;
  const operands = Array.isArray(raw) ? raw : [raw];
  if (name === "var") return values[String(operands[0])] ?? null;
  const operator = operators[name];
  // An operator that is not known hides nothing.
  return operator ? operator(operands.map((operand: Json) => evaluate(operand, values))) : true;
};

/** Whether the condition, JSON logic itself or under `visible`, is true of the sibling values. */
export const holds = (condition: Json, values: Values): boolean => {
  const logic = isOperation(condition) ? (condition["visible"] ?? condition) : condition;
  return Boolean(evaluate(logic, values));
};
