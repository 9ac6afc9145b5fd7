/**
 * Columns whose attributes change their type: converted if a conversion is known or given, emptied if that is allowed.
 */
import { type Change, continuing, type Findings } from "../change.ts";
import { isJson } from "../components/stored-entries.ts";
import { conversionFor } from "../convert.ts";
import { own } from "../own.ts";
import type { AttributeOutline } from "../snapshot.ts";
import { countRows, quote } from "../sql.ts";
import { dare } from "../step.ts";
import { adviceOf, suggestConvert } from "../suggest.ts";

interface Column {
  /** Counts its values before the migration. */
  readonly values: string;
  readonly table: string;
  readonly name: string;
  /** SQL types before and after. */
  readonly from: string;
  readonly to: string;
}

type InColumn = AttributeOutline & { readonly column: string };

const isInColumn = (attribute: AttributeOutline): attribute is InColumn => attribute.column !== undefined;

const placeOf = ({ table, name }: Column): string => `${table}.${name}`;

const describe = (attribute: AttributeOutline): string =>
  attribute.kind === "scalar" ? attribute.type : attribute.kind;

/** Sets the column to a hand-written expression. A change of type already does so. */
const write = ({ draft, moved }: Findings, column: Column, convert: string): void => {
  if (column.from !== column.to) return;
  const [table, name] = [quote(column.table), quote(column.name)];
  moved.add(column.table);
  draft.steps.push({
    stage: "move",
    sql: `update ${table} set ${name} = (${convert})\nwhere ${name} is not null;`,
    does: `converts ${placeOf(column)}`,
    breaks: true,
  });
};

const suggestionFor = (column: Column, before: AttributeOutline, after: AttributeOutline): string | undefined =>
  before.kind === "scalar" && after.kind === "scalar"
    ? suggestConvert(before.type, after.type, quote(column.name))
    : undefined;

const empty = (findings: Findings, column: Column, before: AttributeOutline, after: AttributeOutline): void => {
  const { draft, moved, conversions } = findings;
  const place = placeOf(column);
  conversions.set(place, { kind: "lossless", using: () => `null::${column.to}` });
  const reason =
    `${place} changes from ${describe(before)} to ${describe(after)}, and its values mean nothing there: ` +
    adviceOf(suggestionFor(column, before, after));
  if (!dare(draft, `drop:${place}`, reason)) return;
  draft.concerns.push({ what: `values of ${place}`, sql: column.values });
  moved.add(column.table);
  draft.steps.push({
    stage: "move",
    sql: `update ${quote(column.table)} set ${quote(column.name)} = null\nwhere ${quote(column.name)} is not null;`,
    does: `empties ${place}`,
    loses: `every value of ${place}`,
    breaks: true,
  });
};

const moveKind = (
  findings: Findings,
  { hints }: Change,
  column: Column,
  before: AttributeOutline,
  after: AttributeOutline,
  uid: string,
): void => {
  const hint = hints.get(uid);
  if (hint?.convert !== undefined) {
    write(findings, column, hint.convert);
    return;
  }
  if (before.kind !== "scalar" || after.kind !== "scalar") {
    empty(findings, column, before, after);
    return;
  }
  const conversion = conversionFor(findings.draft.way, before, after, hint);
  // If the SQL types differ, the diff of the columns reports that they do not convert.
  if (conversion.kind === "unknown" && column.from === column.to) empty(findings, column, before, after);
  else if (conversion.kind === "unknown")
    findings.conversions.set(placeOf(column), { ...conversion, suggestion: suggestionFor(column, before, after) });
  else findings.conversions.set(placeOf(column), conversion);
};

const staysInKind = (before: AttributeOutline, after: AttributeOutline): boolean =>
  (before.kind === "scalar" && after.kind === "scalar" && before.type === after.type) ||
  (isJson(before) && isJson(after)) ||
  (before.kind !== "scalar" && before.kind === after.kind);

export const moveKinds = (findings: Findings, change: Change): void => {
  for (const { before, after, was, is, place } of continuing(change)) {
    if (staysInKind(was, is) || !isInColumn(was) || !isInColumn(is)) continue;
    // If it is renamed as well, it is another column.
    if (was.kind !== is.kind && was.column !== is.column) continue;
    const [from, to] = [
      own(own(change.old.tables, before.table)?.columns, was.column)?.type,
      own(own(change.next.tables, after.table)?.columns, is.column)?.type,
    ];
    if (from === undefined || to === undefined) continue;
    const values = countRows(before.table, `${quote(was.column)} is not null`);
    moveKind(findings, change, { values, table: after.table, name: is.column, from, to }, was, is, place);
  }
};
