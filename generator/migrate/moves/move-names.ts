/** Uids and enum values that rows store as text. */
import { type Change, continuing, type Findings, type PairedType } from "../change.ts";
import { goneValues, misfitsOf, RENAMED, type Renamed } from "../components/enum-values.ts";
import { holdsContent } from "../components/fill-defaults.ts";
import { type Scalar, sqlTypeOf } from "../convert.ts";
import { inOrder } from "../names/rename-order.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare, type Stage } from "../step.ts";
import { keepLast } from "./keep-last.ts";
import { VERSIONS } from "./move-history.ts";

/** Columns that hold the uid of a type: that of a version, or that of a polymorphic relation's target. */
const typeColumns = ({ next, old }: Change): readonly (readonly [table: string, column: string])[] => {
  const found: [string, string][] = [];
  for (const { table, attributes } of Object.values(next.contentTypes)) {
    for (const attribute of Object.values(attributes)) {
      if (attribute.kind !== "relation" || attribute.target !== undefined) continue;
      if (attribute.typeColumn !== undefined) found.push([table, attribute.typeColumn]);
      if (attribute.link !== undefined) found.push([attribute.link, "document_type"]);
    }
  }
  if (Object.hasOwn(next.tables, VERSIONS)) found.push([VERSIONS, "type"]);
  return found.filter(([table]) => Object.hasOwn(old.tables, table));
};

const renameUid = (findings: Findings, change: Change, was: string, is: string, does?: string): void => {
  const statements = [["documents", "type"] as const, ...typeColumns(change)].map(
    ([table, column]) =>
      `update ${quote(table)} set ${quote(column)} = ${literal(is)} where ${quote(column)} = ${literal(was)};`,
  );
  if (Object.hasOwn(change.next.tables, "role_permissions")) {
    statements.push(
      `update "role_permissions" set "action" = ${literal(`${is}.`)} || substr("action", ${was.length + 2})\n` +
        `where starts_with("action", ${literal(`${was}.`)});`,
    );
  }
  if (Object.hasOwn(change.next.tables, "api_tokens")) {
    statements.push(
      `update "api_tokens" set "permissions" = replace("permissions"::text, ${literal(`"${was}.`)}, ${literal(`"${is}.`)})::json\n` +
        `where strpos("permissions"::text, ${literal(`"${was}.`)}) > 0;`,
    );
  }
  findings.draft.steps.push({ stage: "move", sql: statements.join("\n\n"), does, breaks: true });
};

/** A type whose table another uid takes over, and which perhaps was meant to continue there. */
const mayDelete = (findings: Findings, { next }: Change, uid: string, table: string): boolean => {
  const heir = Object.keys(next.contentTypes).find((each) => next.contentTypes[each]?.table === table);
  if (heir === undefined) return true;
  const reason =
    `${uid} is gone, and ${heir} has its table ${table}: its documents would be deleted. ` +
    `If it goes on under the new uid, write "renamedFrom": "${uid}" into the info of ${heir}`;
  return dare(findings.draft, `drop:${table}`, reason);
};

/** A removed type leaves no documents behind: nothing could read them. */
const removeDocuments = (findings: Findings, change: Change): void => {
  const kept = new Set(change.correspondence.contentTypes.map(({ old }) => old));
  for (const [uid, type] of Object.entries(change.old.contentTypes)) {
    if (kept.has(uid) || !mayDelete(findings, change, uid, type.table)) continue;
    const sql = countRows("documents", `"type" = ${literal(uid)}`);
    const beyondDefault = countRows(type.table, holdsContent(type, change.old));
    const what = `documents of ${uid}${keepLast(findings, change, uid) ? `, and keeps their last versions as deletions` : ""}`;
    findings.draft.concerns.push({ what, sql, beyondDefault });
    findings.draft.steps.push({
      stage: "drop",
      sql: `delete from "documents" where "type" = ${literal(uid)};`,
      does: `deletes the documents of ${uid}`,
      loses: `every document of ${uid}`,
      breaks: true,
    });
  }
};

/** Stops the migration at run time at values that the enumeration does not know. */
const guardValues = (findings: Findings, table: string, column: string, values: readonly string[], stage: Stage) => {
  findings.held.add(table);
  findings.draft.steps.push({
    stage,
    locks: `${table}: writes, while its values are checked: a second for a million rows`,
    sql:
      `do $$\ndeclare\n  found text;\n  place bigint;\nbegin\n  select ${quote(column)}, "id" into found, place\n  from ${quote(table)}\n` +
      `  where ${quote(column)} not in (${values.map(literal).join(", ")})\n  limit 1;\n` +
      `  if found is not null then\n    raise exception '% has the value "%" in row %, which is no longer allowed: change those rows first, or say with "renamedValues" what it is called now',\n` +
      `      ${literal(`${table}.${column}`)}, found, place;\n  end if;\nend\n$$;`,
    does: `checks that ${table}.${column} holds allowed values only`,
    breaks: true,
  });
};

const caseOf = (value: string, renamed: Renamed): string =>
  `case ${value} ${renamed.map(([to, from]) => `when ${literal(from)} then ${literal(to)}`).join(" ")} else ${value} end`;

/** Renames enumeration values, along with the other changes to the column, if another column can replace it. */
const renameValues = (findings: Findings, table: string, was: Scalar, is: Scalar, renamed: Renamed): void => {
  const place = `${table}.${is.column}`;
  const isRetyped = sqlTypeOf(was.type) !== sqlTypeOf(is.type);
  const goesAlong = isRetyped || findings.replaceable.has(place);
  const column = quote(is.column);
  if (goesAlong)
    findings.revalued.set(place, {
      when: is.enum === undefined ? "before" : "after",
      using: (value) => caseOf(value, renamed),
    });
  else findings.moved.add(table);
  const values = renamed.map(([, from]) => literal(from)).join(", ");
  findings.draft.steps.push({
    stage: "move",
    sql: goesAlong
      ? ""
      : `update ${quote(table)}\nset ${column} = ${caseOf(column, renamed)}\nwhere ${column} in (${values});`,
    does: `renames values of ${place}: ${renamed.map(([to, from]) => `${from} to ${to}`).join(", ")}`,
    breaks: true,
  });
};

/** Stops the migration at values that the enumeration no longer has, or never had. */
const checkValues = (
  findings: Findings,
  { before, after }: PairedType,
  was: Scalar,
  is: Scalar & { enum: readonly string[] },
  renamed: Renamed,
  isConverted: boolean,
): void => {
  const place = `${after.table}.${is.column}`;
  const gone = goneValues(was, is.enum, renamed);
  if (gone?.length === 0) return;
  // The values of a converted attribute are known only after the conversion.
  const isLate = gone === undefined || findings.revalued.has(place);
  guardValues(findings, after.table, is.column, is.enum, isLate ? "check" : "move");
  // The results of an expression are not known in advance.
  if (isConverted) return;
  const condition = misfitsOf(`${quote(was.column)}::text`, is.enum, renamed);
  findings.draft.concerns.push({
    what: gone ? `values ${gone.join(", ")} of ${place}` : `values of ${place} other than ${is.enum.join(", ")}`,
    sql: countRows(before.table, condition),
    stops: RENAMED,
  });
};

const moveValues = (findings: Findings, change: Change): void => {
  for (const { was, is, place, ...type } of continuing(change)) {
    if (is.kind !== "scalar" || was.kind !== "scalar" || (is.enum ?? was.enum) === undefined) continue;
    const { renamedValues = {}, convert } = change.hints.get(place) ?? {};
    const renamed = Object.entries(renamedValues);
    if (renamed.length > 0) renameValues(findings, type.after.table, was, is, renamed);
    if (is.enum === undefined) continue;
    checkValues(findings, type, was, { ...is, enum: is.enum }, renamed, convert !== undefined);
  }
};

export const moveNames = (findings: Findings, change: Change): void => {
  const renamed = change.correspondence.contentTypes.filter((pairing) => pairing.old !== pairing.new);
  for (const { from, to, ends } of inOrder(new Map(renamed.map((pairing) => [pairing.old, pairing.new]))))
    renameUid(
      findings,
      change,
      from,
      to,
      ends && `renames ${ends.was} to ${ends.is} in documents, permissions and polymorphic relations`,
    );
  moveValues(findings, change);
  removeDocuments(findings, change);
};
