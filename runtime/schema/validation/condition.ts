/** JSON logic, as used in schema files for attributes that depend on others of the same object. */
import type { Json } from "../document.ts";

type Values = Readonly<Record<string, unknown>>;

const isOperation = (logic: Json): logic is Readonly<Record<string, Json>> =>
  typeof logic === "object" && logic !== null && !Array.isArray(logic);

/** Compares two values: negative, zero or positive; NaN if they cannot be compared. */
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
  // Unknown operators count as true, so that they hide nothing.
  return operator ? operator(operands.map((operand: Json) => evaluate(operand, values))) : true;
};

/** Whether a condition (JSON logic, directly or under `visible`) is true for the values of the object. */
export const holds = (condition: Json, values: Values): boolean => {
  const logic = isOperation(condition) ? (condition["visible"] ?? condition) : condition;
  return Boolean(evaluate(logic, values));
};
