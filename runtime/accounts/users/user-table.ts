/** The columns of the built-in user type that the runtime needs; a project may add others. */
import { getTableColumns } from "drizzle-orm";
import type { Registry } from "../../schema/registry.ts";

export const userUid = "plugin::users-permissions.user";

export const userColumns = (registry: Registry) => {
  const { table } = registry.contentType(userUid);
  const { id, documentId, username, email, provider, password, confirmed, blocked, role } = getTableColumns(table);
  if (!id || !documentId || !username || !email || !provider || !password || !confirmed || !blocked || !role) {
    throw new Error(
      `The content type "${userUid}" needs the attributes "username", "email", "provider", "password", "confirmed", "blocked" and "role".`,
    );
  }
  return { table, id, documentId, username, email, provider, password, confirmed, blocked, role };
};
