import { or, type SQL, sql } from "drizzle-orm";
import type { ScalarType } from "../../content-type.ts";
import type { Condition } from "../query.ts";
import { slot } from "./compile.ts";
import { fieldIn, type Scope } from "./scope.ts";

const TEXT: ReadonlySet<ScalarType> = new Set(["string", "text", "richtext", "email", "uid", "enumeration"]);
const NUMBERS: ReadonlySet<ScalarType> = new Set(["integer", "biginteger", "float", "decimal"]);

/** `_q` over every searchable attribute that callers may see: texts hold the words, numbers equal them. */
export const searchIn = (scope: Scope, { pattern, number }: Extract<Condition, { kind: "search" }>): SQL => {
  const matches: SQL[] = [];
  for (const member of scope.owner.members.values()) {
    if (member.kind !== "scalar" || member.hidden || !member.searchable) continue;
    const field = fieldIn(scope, member);
    if (TEXT.has(member.type)) matches.push(sql`lower(${field}::text) like lower(${slot(pattern)}::text)`);
    else if (number !== undefined && NUMBERS.has(member.type)) matches.push(sql`${field} = ${slot(number)}::numeric`);
  }
  return sql`(${or(...matches) ?? sql.raw("false")})`;
};
