/** Relations and media that become a single value: the first link of each row moves into a column. */
import { range, statementInBatches } from "../batches.ts";
import type { Change, Findings, PairedType } from "../change.ts";
import { literal, quote } from "../sql.ts";
import { type Linked, type Move, mayNarrow, ofType, othersGo, targetColumn, typeColumnOf } from "./link-move.ts";

/** Whether the new column can be filled before the transaction: nothing is renamed, and rows keep their meaning. */
export const canPrepare = (
  { old }: Change,
  { before: was, after: is }: PairedType,
  before: Linked,
  after: Linked,
): boolean =>
  was.table === is.table &&
  was.draftAndPublish === is.draftAndPublish &&
  was.localized === is.localized &&
  before.link !== undefined &&
  Object.hasOwn(old.tables, before.link) &&
  after.column !== undefined &&
  [after.column, typeColumnOf(after)].every((name) => !Object.hasOwn(old.tables[is.table]?.columns ?? {}, name ?? ""));

/** Columns, with the SQL of the value from a link. */
const valuesOf = ({ before, after, givenType }: Move, column: string): readonly (readonly [string, string])[] => {
  const type = typeColumnOf(after);
  const target = [column, `link.${quote(targetColumn(before))}`] as const;
  if (type === undefined) return [target];
  return [target, [type, givenType === undefined ? 'link."document_type"' : literal(givenType)]];
};

/** Updates rows from the first of their links that meets the conditions. */
const update = (
  table: string,
  link: string,
  values: readonly (readonly [string, string])[],
  conditions: readonly string[],
  more: string,
): string =>
  [
    `update ${quote(table)} as version`,
    `set ${values.map(([name, value]) => `${quote(name)} = ${value}`).join(", ")}`,
    "from (",
    '  select distinct on ("version_id") *',
    `  from ${quote(link)}`,
    ...(conditions.length > 0 ? [`  where ${conditions.join(" and ")}`] : []),
    '  order by "version_id", "position"',
    ") as link",
    `where link."version_id" = version."id"${more};`,
  ].join("\n");

/** Clears rows whose links were removed while the column was filled. */
const emptyOthers = (
  table: string,
  link: string,
  column: string,
  values: readonly (readonly [string, string])[],
  conditions: readonly string[],
): string =>
  [
    `update ${quote(table)} as version`,
    `set ${values.map(([name]) => `${quote(name)} = null`).join(", ")}`,
    `where ${quote(column)} is not null and not exists (`,
    `  select from ${quote(link)} where ${['"version_id" = version."id"', ...conditions].join(" and ")}`,
    ");",
  ].join("\n");

/**
 * Moves the first link of each row into the column: before the transaction, in batches of some thousand rows; the
 * transaction catches up with what was written since.
 */
export const toColumn = (findings: Findings, move: Move, link: string, column: string): void => {
  const { table, before, onlyType, isPrepared } = move;
  findings.settled.add(link);
  const reasons = ["only the first of several would be kept", ...(onlyType ? [othersGo] : [])];
  if (!mayNarrow(findings, link, `the single value ${table}.${column}`, reasons)) return;
  const [of, others] = [`from ${quote(before.link ?? "")}`, onlyType && ofType(move, "document_type")];
  const kept = others === undefined ? "" : ` where ${others}`;
  findings.draft.concerns.push({
    what: `links of ${link} beyond the first of each`,
    sql: `select (select count(*) ${of}) - (select count(distinct "version_id") ${of}${kept})`,
  });
  const values = valuesOf(move, column);
  const conditions = onlyType ? [ofType(move, "document_type")] : [];
  const differs = ` and (${values.map(([name, value]) => `version.${quote(name)} is distinct from ${value}`).join(" or ")})`;
  findings.moved.add(link).add(table);
  if (isPrepared) {
    for (const [name] of values) findings.prepared.add(`${table}.${name}`);
    const lot = update(table, link, values, [...conditions, range(quote("version_id"))], differs);
    findings.draft.steps.push(
      { stage: "fill", sql: statementInBatches(table, lot.replaceAll("\n", "\n    ")) },
      { stage: "move", sql: emptyOthers(table, link, column, values, conditions) },
    );
  }
  findings.draft.steps.push({
    stage: "move",
    sql: update(table, link, values, conditions, isPrepared ? differs : ""),
    does: `moves the first of each in ${link} to ${table}.${column}`,
    breaks: true,
    loses: `all but the first of each in ${link}`,
  });
};
