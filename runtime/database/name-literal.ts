import { type SQL, sql } from "drizzle-orm";

/**
 * The name of an attribute, or a uid, as a string literal in SQL. Names consist of letters (of any alphabet), digits,
 * `_`, `-` and `.`; any other character is a bug, and throws.
 */
export const nameLiteral = (name: string): SQL => {
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(name)) throw new Error(`Not a declared name: ${name}`);
  return sql.raw(`'${name}'`);
};
