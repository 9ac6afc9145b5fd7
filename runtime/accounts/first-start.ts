/** Creates what a server needs in a new database. */
import type { Database } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";
import { hasNoRoles, insertBuiltInRoles } from "./roles/role-store.ts";
import { insertDefaultTokens } from "./tokens/token-store.ts";

/**
 * Creates the built-in roles and the default tokens in one transaction, once, even if two servers start at the same
 * time.
 */
export const prepareFirstStart = async (database: Database, registry: Registry, tokenSalt: string): Promise<void> => {
  if (!(await hasNoRoles(database, registry))) return;
  await database.transaction(async (session) => {
    await insertBuiltInRoles(session, registry);
    await insertDefaultTokens(session, tokenSalt);
  });
};
