import { or, type SQL, sql } from "drizzle-orm";
import type { ScalarType } from "../../schema/content-type.ts";
import type { Condition } from "../query.ts";
import { slot } from "./compile.ts";
import { fieldIn, type Scope } from "./scope.ts";

const TEXT: ReadonlySet<ScalarType> = new Set(["string", "text", "richtext", "email", "uid", "enumeration"]);
const NUMBERS: ReadonlySet<ScalarType> = new Set(["integer", "biginteger", "float", "decimal"]);

/**
 * SQL for `_q`: any searchable attribute that the caller may see contains the text. Numbers are searched if the text is
 * a number.
 */
export const searchIn = (scope: Scope, { pattern, numbers }: Extract<Condition, { kind: "search" }>): SQL => {
  const matches: SQL[] = [];
  for (const member of scope.owner.members.values()) {
    if (member.kind !== "scalar" || member.hidden || member.secret || !member.searchable) continue;
    if (!TEXT.has(member.type) && !(numbers && NUMBERS.has(member.type))) continue;
    matches.push(sql`lower(${fieldIn(scope, member)}::text) like lower(${slot(pattern)}::text)`);
  }
  return sql`(${or(...matches) ?? sql.raw("false")})`;
};
