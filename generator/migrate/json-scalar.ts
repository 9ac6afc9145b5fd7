/** SQL for single values inside JSON that change their type or spelling. */
import type { AttributeHints } from "./change.ts";
import type { AttributeOutline } from "./snapshot.ts";
import { literal } from "./sql.ts";
import { type Draft, dare } from "./step.ts";

type Scalar = Extract<AttributeOutline, { kind: "scalar" }>;

/** Types whose values are texts, or numbers, in JSON. */
const TEXTS = new Set(["string", "text", "richtext", "email", "password", "uid", "enumeration", "biginteger"]);
const NUMBERS = new Set(["integer", "float", "decimal"]);

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
  if (TEXTS.has(before.type) && TEXTS.has(after.type) && after.type !== "biginteger") return undefined;
  if (NUMBERS.has(before.type) && NUMBERS.has(after.type) && after.type !== "integer") return undefined;
  if (convert !== undefined) return `(select to_json((${convert})) from (select ${value} #>> '{}' as value) as given)`;
  if (TEXTS.has(after.type) && after.type !== "biginteger") return `to_json(${value} #>> '{}')`;
  if (before.type === "integer" && after.type === "biginteger") return `to_json(${value} #>> '{}')`;
  const flag = `drop:${place}`;
  const reason =
    `${place} changes from ${before.type} to ${after.type} inside JSON: write an SQL expression over "value", ` +
    `the old value as text, such as "convert": "value::numeric", or empty it`;
  return dare(draft, flag, reason) ? "null" : undefined;
};
