import { type SQL, sql } from "drizzle-orm";

/**
 * A declared name as a text in SQL: that of an attribute, or a uid. Those consist of letters (of any alphabet), digits, `_`, `-`
 * and `.`; anything else is a bug, and throws.
 */
export const nameLiteral = (name: string): SQL => {
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(name)) throw new Error(`Not a declared name: ${name}`);
  return sql.raw(`'${name}'`);
};
