/** Suggests expressions for `convert` between attribute types that have no automatic conversion. */
import type { ScalarForm } from "../../runtime/base/scalar-form.ts";
import { instantText, sqlTypeOf, storedForm } from "./convert.ts";

type Group = "text" | "number" | "time" | "boolean" | "json";

const GROUPS: Readonly<Record<ScalarForm, Group>> = {
  text: "text",
  integer: "number",
  number: "number",
  decimal: "number",
  digits: "number",
  boolean: "boolean",
  date: "time",
  time: "time",
  instant: "time",
  epoch: "time",
  json: "json",
};

const groupOf = (type: string): Group => GROUPS[storedForm(type)];

/** Where the value is: in a column, by its name, or in a component, as the text `value`. */
interface Given {
  readonly from: string;
  readonly to: string;
  readonly isInside: boolean;
  /** SQL of the value itself, and of its text. */
  readonly value: string;
  readonly text: string;
}

const toNumber = ({ from, to, isInside, text }: Given): string | undefined => {
  if (groupOf(from) === "time") return undefined;
  const exact = from === "boolean" ? `(${text})::boolean::integer` : `(${text})::numeric`;
  if (to === "float") return `${exact}::double precision`;
  if (to === "decimal") return `round(${exact}, 2)`;
  const whole = from === "boolean" ? exact : `round(${exact})::${sqlTypeOf(to)}`;
  // JSON stores it as a text, since parsers round numbers.
  return to === "biginteger" && isInside ? `(${whole})::text` : whole;
};

const toBoolean = ({ from, text }: Given): string | undefined => {
  if (groupOf(from) === "time") return undefined;
  return groupOf(from) === "number" ? `(${text})::numeric <> 0` : `(${text})::boolean`;
};

/** The format that clients see, which JSON stores. */
const FORMATS: ReadonlyMap<string, (text: string) => string> = new Map([
  ["datetime", (text) => instantText(`(${text})::timestamp(3)`)],
  ["timestamp", (text) => instantText(`(${text})::timestamp(3)`)],
  ["time", (text) => `to_char((${text})::time(3)::interval, 'HH24:MI:SS.MS')`],
]);

const toTime = ({ from, to, isInside, text }: Given): string | undefined => {
  if (groupOf(from) !== "text" && from !== "json") return undefined;
  const format = isInside ? FORMATS.get(to) : undefined;
  return format?.(text) ?? `(${text})::${sqlTypeOf(to)}`;
};

const toJson = ({ from, isInside, value }: Given): string => {
  if (isInside) return groupOf(from) === "number" || from === "boolean" ? `${value}::json` : `to_json(${value})`;
  return `to_json(${FORMATS.get(from)?.(value) ?? value})`;
};

const toBlocks = ({ from, text }: Given): string | undefined =>
  groupOf(from) === "text"
    ? `json_build_array(json_build_object('type', 'paragraph', 'children', json_build_array(json_build_object('type', 'text', 'text', ${text}))))`
    : undefined;

/**
 * An expression that converts values of one attribute type to another, and stops the migration at one that does not
 * fit; undefined if none makes sense, such as for passwords.
 *
 * @param column the column's quoted name; undefined for a field of a component
 */
export const suggestConvert = (from: string, to: string, column: string | undefined): string | undefined => {
  if (from === "password" || to === "password" || from === "blocks") return undefined;
  const isJson = from === "json";
  const text = column === undefined ? "value" : isJson ? `${column} #>> '{}'` : `${column}::text`;
  const given: Given = { from, to, isInside: column === undefined, value: column ?? "value", text };
  if (groupOf(to) === "number") return toNumber(given);
  if (to === "boolean") return toBoolean(given);
  if (groupOf(to) === "time") return toTime(given);
  if (to === "json") return toJson(given);
  return to === "blocks" ? toBlocks(given) : text;
};

/** What to do, as the refusal puts it. */
export const adviceOf = (suggestion: string | undefined, over = ""): string =>
  suggestion === undefined
    ? `write an SQL expression${over} for it on the attribute ("convert"), or empty it`
    : `write an SQL expression${over} for it on the attribute, such as "convert": ${JSON.stringify(suggestion)}, or empty it`;
