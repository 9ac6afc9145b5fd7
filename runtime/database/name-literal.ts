import { type SQL, sql } from "drizzle-orm";

/**
 * A declared name as a text in SQL: that of an attribute, or a uid. Those consist of letters, digits, `_`, `-` and `.`;
 * anything else is a bug, and throws.
 */
export const nameLiteral = (name: string): SQL => {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`Not a declared name: ${name}`);
  return sql.raw(`'${name}'`);
};
