/** Relations and media that change between a column and a link table. */
import { type Change, type Findings, pairedAttributes, pairedTypes } from "./change.ts";
import type { AttributeOutline, Tables } from "./snapshot.ts";
import { quote } from "./sql.ts";
import { dare } from "./step.ts";

type Linked = Extract<AttributeOutline, { kind: "relation" | "media" }>;

const isLinked = (attribute: AttributeOutline): attribute is Linked =>
  attribute.kind === "relation" || attribute.kind === "media";

const targetColumn = ({ kind }: Linked): string => (kind === "media" ? "file_id" : "document_id");
const typeColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.typeColumn : undefined;
const positionColumnOf = (attribute: Linked): string | undefined =>
  attribute.kind === "relation" ? attribute.positionColumn : undefined;

/** One row in the link table for each row whose column holds something. */
const toLink = (findings: Findings, table: string, before: Linked, after: Linked, tables: Tables): void => {
  const { column } = before;
  const { link } = after;
  if (column === undefined || link === undefined) return;
  const values: [string, string][] = [
    ["version_id", quote("id")],
    [targetColumn(after), quote(column)],
    ["position", "1"],
  ];
  const type = typeColumnOf(before);
  if (type !== undefined) values.push(["document_type", quote(type)]);
  if (Object.hasOwn(tables[link]?.columns ?? {}, "inverse_position")) {
    const position = positionColumnOf(before);
    values.push(["inverse_position", position === undefined ? "1" : `coalesce(${quote(position)}, 1)`]);
  }
  findings.settled.add(`${table}.${column}`);
  findings.moved.add(table);
  findings.draft.steps.push({
    stage: "move",
    sql:
      `insert into ${quote(link)} (${values.map(([name]) => quote(name)).join(", ")})\n` +
      `select ${values.map(([, value]) => value).join(", ")}\nfrom ${quote(table)}\nwhere ${quote(column)} is not null;`,
    does: `moves ${table}.${column} into ${link}`,
  });
};

/** The first link of each row goes into the column. */
const toColumn = (findings: Findings, table: string, before: Linked, after: Linked): void => {
  const { link } = before;
  const { column } = after;
  if (link === undefined || column === undefined) return;
  const reason = `${link} becomes the single value ${table}.${column}: only the first of several would be kept`;
  if (!dare(findings.draft, `narrow:${link}`, reason)) return;
  const target = targetColumn(before);
  const sets = [[column, target]];
  const type = typeColumnOf(after);
  if (type !== undefined) sets.push([type, "document_type"]);
  findings.settled.add(link);
  findings.moved.add(link).add(table);
  findings.draft.steps.push({
    stage: "move",
    sql:
      `update ${quote(table)} as version\nset ${sets.map(([own, linked]) => `${quote(own ?? "")} = link.${quote(linked ?? "")}`).join(", ")}\n` +
      `from (\n  select distinct on ("version_id") *\n  from ${quote(link)}\n  order by "version_id", "position"\n) as link\n` +
      `where link."version_id" = version."id";`,
    does: `moves the first of each in ${link} to ${table}.${column}`,
    loses: `all but the first of each in ${link}`,
  });
};

/** Carries over what relations and media hold when the way they are stored changes. */
export const moveLinks = (findings: Findings, change: Change): void => {
  for (const { pairing, before, after } of pairedTypes(change)) {
    for (const { before: was, after: is } of pairedAttributes(pairing.attributes, before, after)) {
      if (!isLinked(was) || !isLinked(is)) continue;
      // The order on the other side says nothing without the relation, or when nobody looks from there.
      const position = positionColumnOf(was);
      if (position !== undefined) findings.settled.add(`${after.table}.${position}`);
      const type = typeColumnOf(was);
      if (type !== undefined && is.link !== undefined) findings.settled.add(`${after.table}.${type}`);
      if (was.kind !== is.kind) continue;
      if (was.column !== undefined && is.link !== undefined) {
        toLink(findings, after.table, was, is, change.next.tables);
      } else if (was.link !== undefined && is.column !== undefined) {
        toColumn(findings, after.table, was, is);
      }
    }
  }
};
