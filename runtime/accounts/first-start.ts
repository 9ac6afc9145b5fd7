/** What a server makes when it starts on a database that none has used before. */
import type { Database } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";
import { hasNoRoles, insertBuiltInRoles } from "./roles/role-store.ts";
import { insertDefaultTokens } from "./tokens/token-store.ts";

/** Makes the built-in roles and the default tokens together, once; two servers that start at once make one of each. */
export const prepareFirstStart = async (database: Database, registry: Registry, tokenSalt: string): Promise<void> => {
  if (!(await hasNoRoles(database, registry))) return;
  await database.transaction(async (session) => {
    await insertBuiltInRoles(session, registry);
    await insertDefaultTokens(session, tokenSalt);
  });
};
