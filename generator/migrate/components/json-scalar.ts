/** SQL for single values inside JSON that change their type or representation. */
import {
  type AttributeHints,
  type Conversion,
  conversionFor,
  instantText,
  type Misfits,
  type Scalar,
  sqlTypeOf,
  storedForm,
  timeText,
} from "../convert.ts";
import { literal } from "../sql.ts";
import { allowedConversion, dare } from "../step.ts";
import { adviceOf, suggestConvert } from "../suggest.ts";
import { goneValues, misfitsOf, RENAMED } from "./enum-values.ts";
import { dareHere, noteStored, type Place } from "./json-values.ts";

/** Values of a column type as components store them. */
export const typedToJson = (type: string, value: string): string => {
  const form = storedForm(type);
  if (form === "json") return value;
  if (form === "digits") return `to_json((${value})::text)`;
  if (form === "instant" || form === "epoch") return `to_json(${instantText(value)})`;
  return `to_json(${form === "time" ? timeText(value) : value})`;
};

/** The text of a value: `entry ->> 'size'` of `entry -> 'size'`. */
const jsonText = (value: string): string => {
  const field = / -> ('(?:[^']|'')*')$/.exec(value);
  return field ? `${value.slice(0, field.index)} ->> ${field[1]}` : `${value} #>> '{}'`;
};

/** The value `value` of a field as a SQL value of its type. */
const jsonToTyped = (type: string, value: string): string => {
  const sql = sqlTypeOf(type);
  if (sql === "json") return value;
  const text = jsonText(value);
  // A cast to a shorter type would truncate texts.
  return sql === "text" || sql.startsWith("varchar") ? `(${text})` : `(${text})::${sql}`;
};

/** The value, if it is one of `allowed`. */
const checkedValue = (value: string, allowed: readonly string[], place: string): string =>
  `galley_one_of(${value}, array[${allowed.map(literal).join(", ")}]::text[], ${literal(place)})`;

/** The text, if it fits the SQL type. */
const checkedLength = (value: string, type: string, place: string): string => {
  const longest = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return longest === undefined ? value : `galley_fitting(${value}, ${longest}, ${literal(place)})`;
};

const converted = (known: Conversion, before: Scalar, after: Scalar, value: string, place: string) => {
  if (known.kind === "unknown" || known.kind === "free") return undefined;
  // Texts that fit are the same in JSON.
  if (known.kind === "lossless" && storedForm(before.type) === "text" && storedForm(after.type) === "text")
    return undefined;
  const typed = jsonToTyped(before.type, value);
  const result = known.using === undefined ? checkedLength(typed, sqlTypeOf(after.type), place) : known.using(typed);
  return typedToJson(after.type, result);
};

/** The value, with enumeration values renamed. */
const renamed = (values: Readonly<Record<string, string>>, given: string, value = given): string => {
  const cases = Object.entries(values).map(([to, from]) => `when ${literal(from)} then to_json(${literal(to)}::text)`);
  return cases.length === 0 ? value : `case ${jsonText(given)} ${cases.join(" ")} else ${value} end`;
};

/** Renames enumeration values, and stops the migration at unknown ones. */
const moveValues = (
  { renamedValues = {} }: AttributeHints,
  before: Scalar,
  after: Scalar,
  value: string | undefined,
  given: string,
  place: Place,
  isConverted = false,
): string | undefined => {
  if (after.enum === undefined) return value;
  const cases = Object.entries(renamedValues);
  const gone = goneValues(before, after.enum, cases);
  const next = cases.length === 0 ? value : renamed(renamedValues, given, value);
  if (gone?.length === 0) return next;
  const { name } = place;
  if (!isConverted) {
    const which = gone
      ? `values ${gone.join(", ")} of ${name}`
      : `values of ${name} other than ${after.enum.join(", ")}`;
    const where = ` and ${misfitsOf("value #>> '{}'", after.enum, cases)}`;
    noteStored(place, which, { where }, RENAMED);
  }
  return checkedValue(next ?? given, after.enum, name);
};

/** Counts the values that do not fit; takes how JSON becomes SQL of the old type. */
const countMisfits = (place: Place, before: Scalar, { which, condition, stops }: Misfits): void => {
  const where = ` and ${condition(jsonToTyped(before.type, "value"))}`;
  noteStored(place, `values of ${place.name} ${which}`, { where }, stops);
};

/** The new value for `value`, of a field that is no component, relation or file. */
export const rewriteScalar = (
  place: Place,
  hints: AttributeHints = {},
  before: Scalar,
  after: Scalar,
  value: string,
): string | undefined => {
  const { draft, name } = place;
  if (before.type === after.type) return moveValues(hints, before, after, undefined, value, place);
  if (hints.convert !== undefined) {
    const written = `(select to_json((${hints.convert})) from (select ${jsonText(value)} as value) as given)`;
    return moveValues(hints, before, after, written, value, place, true);
  }
  const known = allowedConversion(draft, name, conversionFor(draft.way, before, after, hints));
  if (known.kind === "unknown") {
    const reason =
      `${name} changes from ${before.type} to ${after.type} inside JSON: ` +
      adviceOf(suggestConvert(before.type, after.type, undefined), ' over "value", the old value as text,');
    return dareHere(place, `drop:${name}`, reason, `every value of ${name}`, `values of ${name}`) ? "null" : undefined;
  }
  if (known.kind === "narrowing") {
    const reason = `${name} changes from ${before.type} to ${after.type}: ${known.reason}`;
    if (!dare(draft, `narrow:${name}`, reason, `${name}: ${known.reason}`)) return undefined;
  }
  if ("misfits" in known && known.misfits) countMisfits(place, before, known.misfits);
  // A former enumeration value becomes the text that it had before it was one.
  const given = after.enum === undefined ? renamed(hints.renamedValues ?? {}, value) : value;
  return moveValues(hints, before, after, converted(known, before, after, given, name), given, place);
};
