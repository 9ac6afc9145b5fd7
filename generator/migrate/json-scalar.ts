/** SQL for single values inside JSON that change their type or spelling. */
import type { AttributeHints } from "./change.ts";
import type { AttributeOutline } from "./snapshot.ts";
import { literal } from "./sql.ts";
import { type Draft, dare } from "./step.ts";

type Scalar = Extract<AttributeOutline, { kind: "scalar" }>;

const TEXTS = ["string", "text", "richtext", "email", "password", "uid", "enumeration"];

/** What reads the same in JSON as another type: from each type, the types that its values are right for. */
const ALIKE: readonly (readonly [from: readonly string[], to: readonly string[]])[] = [
  [[...TEXTS, "biginteger"], TEXTS],
  [
    ["integer", "float", "decimal"],
    ["float", "decimal"],
  ],
  [
    ["datetime", "timestamp"],
    ["datetime", "timestamp"],
  ],
  [
    ["json", "blocks"],
    ["json", "blocks"],
  ],
];

const isAlike = (before: string, after: string): boolean =>
  ALIKE.some(([from, to]) => from.includes(before) && to.includes(after));

/** Values of a column type as components keep them. */
export const typedToJson = (type: string, value: string): string => {
  switch (type) {
    case "json":
    case "blocks":
      return value;
    case "biginteger":
      return `to_json((${value})::text)`;
    case "datetime":
    case "timestamp":
      return `to_json(to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
    case "time":
      return `to_json(to_char((${value})::interval, 'HH24:MI:SS.MS'))`;
    default:
      return `to_json(${value})`;
  }
};

const SQL_TYPES = new Map([
  ["integer", "integer"],
  ["biginteger", "bigint"],
  ["float", "double precision"],
  ["decimal", "numeric(10, 2)"],
  ["boolean", "boolean"],
  ["date", "date"],
  ["time", "time(3)"],
  ["datetime", "timestamp(3)"],
  ["timestamp", "timestamp(3)"],
  ["json", "json"],
  ["blocks", "json"],
]);

/** What becomes of the value `value` of a field that is no component, relation or file; `place` names it to people. */
export const rewriteScalar = (
  hints: AttributeHints | undefined,
  draft: Draft,
  before: Scalar,
  after: Scalar,
  value: string,
  place: string,
): string | undefined => {
  const { convert, renamedValues } = hints ?? {};
  if (after.enum && renamedValues) {
    const cases = Object.entries(renamedValues)
      .filter(([to, from]) => after.enum?.includes(to) && !after.enum.includes(from) && !before.enum?.includes(to))
      .map(([to, from]) => `when ${literal(from)} then to_json(${literal(to)}::text)`);
    if (cases.length > 0) return `case ${value} #>> '{}' ${cases.join(" ")} else ${value} end`;
  }
  if (before.type === after.type) return undefined;
  if (isAlike(before.type, after.type)) return undefined;
  const asText = `${value} #>> '{}'`;
  if (convert !== undefined) return `(select to_json((${convert})) from (select ${asText} as value) as given)`;
  if (TEXTS.includes(after.type)) return `to_json(${asText})`;
  if (before.type === "integer" && after.type === "biginteger") return `to_json(${asText})`;
  // On the way back a value is read from its text; one that cannot be stops the migration.
  const type = draft.way === "down" ? SQL_TYPES.get(after.type) : undefined;
  if (type !== undefined) return typedToJson(after.type, `(${asText})::${type}`);
  const flag = `drop:${place}`;
  const reason =
    `${place} changes from ${before.type} to ${after.type} inside JSON: write an SQL expression over "value", ` +
    `the old value as text, such as "convert": "value::numeric", or empty it`;
  return dare(draft, flag, reason) ? "null" : undefined;
};
