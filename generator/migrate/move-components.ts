/** Components in JSON columns: fields renamed, removed, retyped; single or repeated; zones. */
import { type Change, type Findings, pairedAttributes, pairedTypes } from "./change.ts";
import { leavingFields } from "./field-moves.ts";
import { isJson, jsonRewrite } from "./json-rewrite.ts";
import { moveFields } from "./move-fields.ts";
import { quote } from "./sql.ts";

export const moveComponents = (findings: Findings, change: Change): void => {
  const moved = moveFields(findings, change);
  const rewrite = jsonRewrite(change, findings.draft);
  for (const { pairing, before, after } of pairedTypes(change)) {
    for (const { pair, before: was, after: is } of pairedAttributes(pairing.attributes, before, after)) {
      if (!isJson(was) || !isJson(is)) continue;
      const column = quote(is.column);
      const taken = leavingFields(moved.get(pairing.new) ?? [], pair.old);
      const value = rewrite.attribute(was, is, column, `${after.table}.${pair.new}`, taken);
      if (value === undefined) continue;
      const emptied = value === "null";
      findings.moved.add(after.table);
      findings.draft.steps.push({
        stage: "move",
        sql: `update ${quote(after.table)}\nset ${column} = ${value}\nwhere json_typeof(${column}) <> 'null';`,
        does: `${emptied ? "empties" : "rewrites"} ${after.table}.${is.column}`,
        breaks: true,
        ...(emptied ? { loses: `every value of ${after.table}.${is.column}` } : {}),
      });
    }
  }
};
