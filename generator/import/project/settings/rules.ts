/** Settings that mean the same here, under another name. */
import type { Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { environmentCondition, expressionOf, origin, type Setting, type Wanted } from "./setting.ts";

export type Path = readonly string[];

/** From a path there to a path here. */
export type Rule = readonly [from: Path, to: Path, wanted: Wanted];

const expected: Readonly<Record<Wanted, string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  texts: "a list of texts",
};

export const cannotRead = (wanted: Wanted): string => `is not ${expected[wanted]} that can be read without running it`;

/** The settings that the rules find, in their order; what cannot be read is left. */
export const apply = (reading: Reading, rules: readonly Rule[]): readonly Setting[] =>
  rules.flatMap(([from, to, wanted]) => {
    const value = reading.take(...from);
    if (value === undefined) return [];
    return settle(reading, from, value, to, expressionOf(value, wanted), cannotRead(wanted));
  });

/** One setting, or the word that it could not be taken over. */
export const settle = (
  reading: Reading,
  from: Path,
  value: Value,
  to: Path,
  expression: string | undefined,
  why: string,
): readonly Setting[] => {
  const { condition } = value;
  if (expression !== undefined && condition !== undefined && !expression.startsWith(`${environmentCondition(value)} ?`))
    reading.leave(from, value, `was set only if \`${condition}\`; in cms.config.ts it is set always`);
  if (expression !== undefined) return [{ path: to, expression, from: origin(value, from.join(".")) }];
  reading.leave(from, value, why);
  return [];
};

/** A number of bytes as middlewares write it, such as `10mb`. */
export const bytesOf = (value: Value): string | undefined => {
  if (value.kind !== "literal") return expressionOf(value, "number");
  if (typeof value.value === "number") return String(value.value);
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/i.exec(String(value.value)) ?? [];
  const power = ["b", "kb", "mb", "gb"].indexOf(unit.toLowerCase());
  return power < 0 ? undefined : String(Math.round(Number(number) * 1024 ** power));
};

/** A duration as this configuration has it: of a number of seconds, or of a text such as `30d`. */
export const durationOf = (value: Value): string | undefined => {
  if (value.kind === "variable") return value.cast === "text" ? expressionOf(value, "text") : undefined;
  if (value.kind !== "literal") return undefined;
  if (typeof value.value === "number" && Number.isInteger(value.value)) return `"${value.value}s"`;
  const [, number, unit] =
    /^(\d+)\s*(s|m|h|d)(?:ec(?:ond)?s?|in(?:ute)?s?|ours?|ays?)?$/.exec(String(value.value)) ?? [];
  return number === undefined ? undefined : `"${number}${unit}"`;
};
