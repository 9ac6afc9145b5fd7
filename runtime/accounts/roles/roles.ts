/** Writes roles and their permissions, and caches them, so that checking a permission needs no database query. */
import { asc, eq, getTableColumns, and, inArray } from "drizzle-orm";
import { defaultPermissions } from "../../access/actions.ts";
import type { Caller } from "../../access/caller.ts";
import { createId } from "../../base/create-id.ts";
import type { Logger } from "../../base/log.ts";
import {
  builder,
  type Database,
  notify,
  numberOf,
  requiredText,
  run,
  type Session,
  textOrNone,
} from "../../database/database.ts";
import { runOutside } from "../../database/scope.ts";
import type { Act } from "../../documents/acts.ts";
import { documents } from "../../schema/columns.ts";
import type { Registry } from "../../schema/registry.ts";
import { rolePermissions } from "../../schema/tables/accounts.ts";
import { insertDefaultTokens } from "../api-tokens.ts";

export const roleUid = "plugin::users-permissions.role";

export interface Role {
  readonly id: number;
  readonly documentId: string;
  /** A short name that code and configuration use, such as `public`. */
  readonly type: string;
  readonly actions: ReadonlySet<string>;
  /** Whether it may do an action. */
  readonly can: Caller["can"];
}

export type Roles = Awaited<ReturnType<typeof createRoles>>;

const CHANNEL = "galley_roles";
/** Milliseconds after which roles are reloaded even without a notification, since one may get lost. */
const STALE_AFTER = 30_000;

const announce = (database: Database): Promise<void> => notify(database, CHANNEL);

/** Follow-up work after a change of a role. */
export const roleFollowUp = { committed: announce };

/** The columns of the built-in role type that the runtime itself needs. */
const roleColumns = (registry: Registry) => {
  const { table } = registry.contentType(roleUid);
  const { id, documentId, name, type, description } = getTableColumns(table);
  if (!id || !documentId || !name || !type || !description) {
    throw new Error(`The content type "${roleUid}" needs the attributes "name", "type" and "description".`);
  }
  return { table, id, documentId, name, type, description };
};

const newRole = (id: number, documentId: string, type: string) => {
  const actions = new Set<string>();
  return { id, documentId, type, actions, can: (action: string) => actions.has(action) };
};

const loadRoles = async (database: Database, registry: Registry): Promise<readonly Role[]> => {
  if (!registry.has(roleUid)) return [];
  const { table, id, documentId, type } = roleColumns(registry);
  const rows = await run(
    database,
    builder
      .select({ id, documentId, type, action: rolePermissions.action })
      .from(table)
      .leftJoin(rolePermissions, eq(rolePermissions.roleDocumentId, documentId))
      .orderBy(asc(id)),
  );
  const roles = new Map<number, ReturnType<typeof newRole>>();
  for (const [id, documentId, type, action] of rows) {
    const key = numberOf(id);
    const role = roles.get(key) ?? newRole(key, requiredText(documentId), textOrNone(type));
    if (typeof action === "string") role.actions.add(action);
    roles.set(key, role);
  }
  return [...roles.values()];
};

const isSame = (one: Role, other: Role): boolean =>
  one.id === other.id &&
  one.documentId === other.documentId &&
  one.type === other.type &&
  one.actions.size === other.actions.size &&
  [...one.actions].every((action) => other.actions.has(action));

/** The loaded roles. Unchanged ones are the same objects as before, so that their cached responses stay valid. */
const joined = (before: readonly Role[], loaded: readonly Role[]): readonly Role[] =>
  loaded.map((role) => before.find((known) => isSame(known, role)) ?? role);

/** Loads the roles and keeps them up to date. `reloaded` is called after each reload. */
export const createRoles = async (
  database: Database,
  registry: Registry,
  { log, reloaded = () => {} }: { log: Logger; reloaded?: () => void },
) => {
  let roles: readonly Role[] = [];
  let loadedAt = 0;
  let started = 0;
  let applied = 0;

  const reload = async (): Promise<void> => {
    started += 1;
    const turn = started;
    loadedAt = Date.now();
    const loaded = await loadRoles(database, registry);
    // A result that arrives after that of a later reload is outdated.
    if (turn > applied) {
      applied = turn;
      roles = joined(roles, loaded);
      reloaded();
    }
  };
  const reloadBehind = (): void => {
    runOutside(reload).catch((error: unknown) => log.error({ err: error }, "permissions could not be reloaded"));
  };
  const current = (): readonly Role[] => {
    if (Date.now() - loadedAt > STALE_AFTER) reloadBehind();
    return roles;
  };

  await reload();
  const stop = await database.listen(CHANNEL, reloadBehind);
  return {
    all: current,
    byType: (type: string) => current().find((role) => role.type === type),
    byDocumentId: (documentId: string) => current().find((role) => role.documentId === documentId),
    /** Reloads everything, and notifies the other processes. Call it after roles or permissions changed. */
    async changed() {
      await reload();
      await announce(database);
    },
    close: stop,
  };
};

interface NewRole {
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

/** What the audit log records of changed permissions. */
export const permissionChange = (
  { documentId, type }: Pick<Role, "documentId" | "type">,
  details: { readonly granted?: readonly string[]; readonly revoked?: readonly string[] },
): Act => ({ action: "permissions.change", subject: { type: roleUid, id: documentId, name: type }, details });

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
const hasNoRoles = async (session: Session, registry: Registry): Promise<boolean> => {
  if (!registry.has(roleUid)) return false;
  const { table, id } = roleColumns(registry);
  return (await run(session, builder.select({ id }).from(table).limit(1))).length === 0;
};

/** Creates the public and the authenticated role with their default permissions, if they are missing. */
const insertBuiltInRoles = async (session: Session, registry: Registry): Promise<void> => {
  for (const { documentId, ...role } of builtIn) {
    await insertRole(session, registry, role, defaultPermissions[role.type] ?? [], documentId);
  }
};

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
