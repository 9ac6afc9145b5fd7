import { or, type SQL, sql } from "drizzle-orm";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import type { Condition } from "../query.ts";
import { slot } from "./compile.ts";
import { fieldIn, type Scope } from "./scope.ts";

/** What a text is looked for in: texts, and numbers if it is one. */
const SEARCHED: Readonly<Record<ScalarForm, "always" | "number" | "never">> = {
  text: "always",
  integer: "number",
  number: "number",
  decimal: "number",
  digits: "number",
  boolean: "never",
  date: "never",
  time: "never",
  instant: "never",
  epoch: "never",
  json: "never",
};

/**
 * SQL for `_q`: any searchable attribute that the caller may see contains the text. Numbers are searched if the text is
 * a number.
 */
export const searchIn = (scope: Scope, { pattern, numbers }: Extract<Condition, { kind: "search" }>): SQL => {
  const matches: SQL[] = [];
  for (const member of scope.owner.members.values()) {
    if (member.kind !== "scalar" || member.hidden || member.secret || !member.searchable) continue;
    const searched = SEARCHED[formOf(member.type)];
    if (searched === "never" || (searched === "number" && !numbers)) continue;
    matches.push(sql`lower(${fieldIn(scope, member)}::text) like lower(${slot(pattern)}::text)`);
  }
  return sql`(${or(...matches) ?? sql.raw("false")})`;
};
