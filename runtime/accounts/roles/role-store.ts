/** Writing roles and their permissions. */
import { and, eq, inArray } from "drizzle-orm";
import { defaultPermissions } from "../../access/actions.ts";
import { createId } from "../../base/create-id.ts";
import type { Session } from "../../database/database.ts";
import { builder, run } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { Registry } from "../../schema/registry.ts";
import { rolePermissions } from "../../schema/tables/accounts.ts";
import { roleColumns, roleUid } from "./roles.ts";

export interface NewRole {
  readonly name: string;
  readonly description: string;
  readonly type: string;
}

/** The built-in roles have fixed ids, so that two processes starting at the same time cannot both create them. */
const builtIn: readonly (NewRole & { readonly documentId: string })[] = [
  {
    documentId: "n3k9w0q7x5v2b8m4z6c1r0ta",
    name: "Authenticated",
    description: "Default role given to authenticated user.",
    type: "authenticated",
  },
  {
    documentId: "n3k9w0q7x5v2b8m4z6c1r0pb",
    name: "Public",
    description: "Default role given to unauthenticated user.",
    type: "public",
  },
];

/** Adds permissions to a role, without duplicates. */
export const grant = async (session: Session, roleDocumentId: string, actions: readonly string[]): Promise<void> => {
  if (actions.length === 0) return;
  const rows = actions.map((action) => ({ roleDocumentId, action }));
  await run(session, builder.insert(rolePermissions).values(rows).onConflictDoNothing());
};

/** Removes permissions from a role. */
export const revoke = async (session: Session, roleDocumentId: string, actions: readonly string[]): Promise<void> => {
  if (actions.length === 0) return;
  const those = and(eq(rolePermissions.roleDocumentId, roleDocumentId), inArray(rolePermissions.action, actions));
  await run(session, builder.delete(rolePermissions).where(those));
};

/** Creates a role with permissions, unless a document with this id exists. */
export const insertRole = async (
  session: Session,
  registry: Registry,
  { name, description, type }: NewRole,
  actions: readonly string[],
  documentId: string = createId(),
): Promise<void> => {
  const { table } = roleColumns(registry);
  const identity = builder
    .insert(documents)
    .values({ documentId, type: roleUid })
    .onConflictDoNothing()
    .returning({ documentId: documents.documentId });
  if ((await run(session, identity)).length === 0) return;
  const now = new Date().toISOString();
  const version = { documentId, createdAt: now, updatedAt: now, publishedAt: now, name, description, type };
  await run(session, builder.insert(table).values(version));
  await grant(session, documentId, actions);
};

/** Whether there are no roles, as in a new database. */
export const hasNoRoles = async (session: Session, registry: Registry): Promise<boolean> => {
  if (!registry.has(roleUid)) return false;
  const { table, id } = roleColumns(registry);
  return (await run(session, builder.select({ id }).from(table).limit(1))).length === 0;
};

/** Creates the public and the authenticated role with their default permissions, if they are missing. */
export const insertBuiltInRoles = async (session: Session, registry: Registry): Promise<void> => {
  for (const { documentId, ...role } of builtIn) {
    await insertRole(session, registry, role, defaultPermissions[role.type] ?? [], documentId);
  }
};
