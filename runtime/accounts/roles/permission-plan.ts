/** Compares declared permissions with those in the database. */
import { defaultPermissions } from "../../access/actions.ts";
import { system } from "../../access/caller.ts";
import { didYouMean } from "../../base/did-you-mean.ts";
import { SetupError } from "../../base/thrown.ts";
import type { Database } from "../../database/database.ts";
import { type Recorder, recordAct } from "../../documents/recorders.ts";
import { grant, permissionChange, revoke, type Role, type Roles } from "./roles.ts";

/** Action uids by role type. A leading `-` removes an action that the role has by default. */
export type DeclaredPermissions = Readonly<Record<string, readonly string[]>>;

export interface PermissionChange {
  readonly role: Role;
  readonly granted: readonly string[];
  readonly revoked: readonly string[];
}

/** The declared permissions name roles or actions that do not exist; the message has one line for each. */
export class PermissionError extends SetupError {
  override readonly name = "PermissionError";
}

const check = (declared: DeclaredPermissions, roles: readonly Role[], known: ReadonlySet<string>): void => {
  const types = roles.map(({ type }) => type);
  const faults: string[] = [];
  for (const [type, actions] of Object.entries(declared)) {
    if (!types.includes(type)) faults.push(`There is no role "${type}".${didYouMean(type, types)}`);
    for (const action of actions.map((each) => each.replace(/^-/, ""))) {
      if (known.has(action)) continue;
      faults.push(`There is no action "${action}" (role "${type}").${didYouMean(action, known)}`);
    }
  }
  if (faults.length > 0) throw new PermissionError(faults.join("\n"));
};

/**
 * The changes needed so that each declared role has its declared and default permissions. Roles that are not declared
 * stay unchanged.
 *
 * @param grantable every action that can be granted
 * @throws PermissionError for unknown roles and actions
 */
export const planPermissions = (
  declared: DeclaredPermissions,
  roles: readonly Role[],
  grantable: ReadonlySet<string>,
): readonly PermissionChange[] => {
  check(declared, roles, grantable);
  return roles.flatMap((role) => {
    const actions = declared[role.type];
    if (!actions) return [];
    const taken = new Set(actions.filter((action) => action.startsWith("-")).map((action) => action.slice(1)));
    const added = actions.filter((action) => !action.startsWith("-"));
    const wanted = new Set([...(defaultPermissions[role.type] ?? []), ...added].filter((action) => !taken.has(action)));
    const granted = [...wanted].filter((action) => !role.actions.has(action));
    const revoked = [...role.actions].filter((action) => !wanted.has(action));
    return granted.length + revoked.length > 0 ? [{ role, granted, revoked }] : [];
  });
};

/** Applies a plan for the application itself, and notifies all processes. */
export const applyPermissions = async (
  database: Database,
  roles: Roles,
  changes: readonly PermissionChange[],
  recorders: readonly Recorder[] = [],
): Promise<void> => {
  await database.transaction(async (session) => {
    for (const { role, granted, revoked } of changes) {
      await grant(session, role.documentId, granted);
      await revoke(session, role.documentId, revoked);
      await recordAct(session, recorders, permissionChange(role, { granted, revoked }), system);
    }
  });
  if (changes.length > 0) await roles.changed();
};
