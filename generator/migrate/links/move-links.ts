/** Relations and media whose storage changes: column or link table, with or without the type of each target. */
import { type Change, continuing, type Findings } from "../change.ts";
import type { AttributeOutline, Tables } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare } from "../step.ts";
import {
  countOthers,
  isLinked,
  isMorph,
  type Linked,
  mayNarrow,
  type Move,
  ofType,
  othersGo,
  positionColumnOf,
  targetColumn,
  typeColumnOf,
} from "./link-move.ts";
import { canPrepare, toColumn } from "./links-to-column.ts";

/** Adds a link-table row for each row whose column has a value. */
const toLink = (findings: Findings, move: Move, column: string, link: string, tables: Tables): void => {
  const { table, before, after, givenType } = move;
  const type = typeColumnOf(before);
  const values: [string, string][] = [
    ["version_id", quote("id")],
    [targetColumn(after), quote(column)],
    ["position", "1"],
  ];
  if (isMorph(after)) values.push(["document_type", type === undefined ? literal(givenType ?? "") : quote(type)]);
  if (Object.hasOwn(tables[link]?.columns ?? {}, "inverse_position")) {
    const position = positionColumnOf(before);
    values.push(["inverse_position", position === undefined ? "1" : `coalesce(${quote(position)}, 1)`]);
  }
  findings.settled.add(`${table}.${column}`);
  if (!mayNarrow(findings, `${table}.${column}`, link, move.onlyType ? [othersGo] : [])) return;
  if (move.onlyType) countOthers(findings, move, `${table}.${column}`);
  findings.moved.add(table);
  const where = move.onlyType && type !== undefined ? `\n  and ${ofType(move, type)}` : "";
  findings.draft.steps.push({
    stage: "move",
    sql:
      `insert into ${quote(link)} (${values.map(([name]) => quote(name)).join(", ")})\n` +
      `select ${values.map(([, value]) => value).join(", ")}\nfrom ${quote(table)}\nwhere ${quote(column)} is not null${where};`,
    does: `moves ${table}.${column} into ${link}`,
    breaks: true,
    loses: move.onlyType && `targets of other types in ${table}.${column}`,
  });
};

/** Keeps the targets, and records the type of each. */
const addTypes = ({ draft, moved }: Findings, place: string, table: string, typeColumn: string, move: Move): void => {
  const { column } = move.after;
  moved.add(table);
  draft.steps.push({
    stage: "move",
    sql:
      `update ${quote(table)} set ${quote(typeColumn)} = ${literal(move.givenType ?? "")}` +
      `${column === undefined ? "" : `\nwhere ${quote(column)} is not null`};`,
    does: `notes the type of each target of ${place}`,
    breaks: true,
  });
};

/** Keeps the targets of the one remaining type. */
const removeTypes = (findings: Findings, place: string, table: string, typeColumn: string, move: Move): void => {
  const { column } = move.after;
  findings.settled.add(`${table}.${typeColumn}`).add(`${table}.document_version`);
  if (!mayNarrow(findings, place, "a relation to one type", [othersGo])) return;
  countOthers(findings, move, place);
  findings.moved.add(table);
  const others = `where not (${ofType(move, typeColumn)})`;
  findings.draft.steps.push({
    stage: "move",
    sql:
      column === undefined
        ? `delete from ${quote(table)} ${others};`
        : `update ${quote(table)} set ${quote(column)} = null\n${others};`,
    does: `keeps the targets of ${place} that have the type it points to`,
    breaks: true,
    loses: `targets of other types in ${place}, and to which version imported links lead`,
  });
};

const moveLink = (findings: Findings, move: Move, tables: Tables): void => {
  const { table, before, after } = move;
  // The order on the other side is meaningless without the relation, or if nobody reads it from there.
  const position = positionColumnOf(before);
  if (position !== undefined) findings.settled.add(`${table}.${position}`);
  const type = typeColumnOf(before);
  if (type !== undefined && after.link !== undefined) findings.settled.add(`${table}.${type}`);
  if (before.column !== undefined && after.link !== undefined) {
    toLink(findings, move, before.column, after.link, tables);
  } else if (before.link !== undefined && after.column !== undefined) {
    toColumn(findings, move, before.link, after.column);
  } else if (isMorph(before) !== isMorph(after) && (after.link ?? after.column) !== undefined) {
    const place = after.link ?? `${table}.${after.column}`;
    const column = typeColumnOf(isMorph(after) ? after : before) ?? "document_type";
    (isMorph(after) ? addTypes : removeTypes)(findings, place, after.link ?? table, column, move);
  }
};

/** Whether a relation has another target type from now on. */
export const pointsElsewhere = (
  was: AttributeOutline,
  is: AttributeOutline,
  newUid: ReadonlyMap<string, string>,
): boolean =>
  was.kind === "relation" &&
  is.kind === "relation" &&
  was.target !== undefined &&
  is.target !== undefined &&
  newUid.get(was.target) !== is.target;

/** Nothing would find links to documents of a type other than the relation's new one. */
const dropLinks = (findings: Findings, { table, tableBefore, before, after }: Move, name: string): void => {
  if (before.kind !== "relation" || after.kind !== "relation") return;
  const [from, to] = [before.column ?? before.link, after.column ?? after.link];
  if (from === undefined || to === undefined) return;
  const place = `${table}.${name}`;
  findings.settled.add(before.column === undefined ? from : `${table}.${from}`);
  if (before.positionColumn !== undefined) findings.settled.add(`${table}.${before.positionColumn}`);
  const reason = `${place} points to ${after.target} instead of ${before.target}: its links would be dropped`;
  if (!dare(findings.draft, `drop:${place}`, reason)) return;
  const sql =
    before.column === undefined ? countRows(from, "true") : countRows(tableBefore, `${quote(from)} is not null`);
  findings.draft.concerns.push({ what: `links of ${place}`, sql });
  const isSameKind = (before.column === undefined) === (after.column === undefined);
  const emptied =
    after.column === undefined
      ? `delete from ${quote(to)};`
      : `update ${quote(table)} set ${quote(to)} = null\nwhere ${quote(to)} is not null;`;
  if (isSameKind) findings.moved.add(after.column === undefined ? to : table);
  findings.draft.steps.push({
    stage: "move",
    sql: isSameKind ? emptied : "",
    does: `drops the links of ${place}`,
    loses: `every link of ${place}`,
    breaks: true,
  });
};

/** Carries over the links of relations and media whose storage changes. */
export const moveLinks = (findings: Findings, change: Change): void => {
  const newUid = new Map(change.correspondence.contentTypes.map((pairing) => [pairing.old, pairing.new]));
  const uidsOf = (attribute: Linked): readonly string[] | undefined =>
    attribute.kind === "relation" && attribute.target !== undefined
      ? [attribute.target, ...[...newUid].flatMap(([old, is]) => (is === attribute.target && old !== is ? old : []))]
      : undefined;
  for (const { pair, was, is, ...type } of continuing(change)) {
    if (!isLinked(was) || !isLinked(is) || was.kind !== is.kind) continue;
    const [lastUid = ""] = uidsOf(was) ?? [];
    const move = {
      table: type.after.table,
      tableBefore: type.before.table,
      before: was,
      after: is,
      isPrepared: canPrepare(change, type, was, is),
      onlyType: isMorph(was) && !isMorph(is) ? uidsOf(is) : undefined,
      givenType: isMorph(is) && !isMorph(was) ? (newUid.get(lastUid) ?? lastUid) : undefined,
    };
    if (pointsElsewhere(was, is, newUid)) dropLinks(findings, move, pair.new);
    else moveLink(findings, move, change.next.tables);
  }
};
