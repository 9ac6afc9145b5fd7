/** The roles of users who may use the panel, and the first such user. */
import { hash } from "node:crypto";
import { inArray } from "drizzle-orm";
import { system } from "../../access/caller.ts";
import { builder, type Database, run } from "../../database/database.ts";
import { type Recorder, recordAct } from "../../documents/recorders.ts";
import type { Registry } from "../../schema/registry.ts";
import type { AccountServices } from "../services.ts";
import { findTaken, userColumns } from "../users/user-store.ts";
import { createUser } from "../users/user-writes.ts";
import { EVERYTHING } from "./everything.ts";
import { invitation, unknownPassword } from "./invitations.ts";
import { grant, insertRole, permissionChange, type Role, type Roles } from "./roles.ts";

/** Actions on users, roles and the server, which only the first role gets. */
const isAdministration = (action: string): boolean =>
  /^plugin::(?:users-permissions\.(?:user|role|permissions)|email|panel|audit|events\.(?:webhook|delivery))\./.test(
    action,
  ) && !action.endsWith(".user.me");

const nameOf = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1).replaceAll("-", " ");

/** The same in every process, so that two that start at the same time do not create a role twice. */
const documentIdOf = (type: string): string => `r${hash("sha256", `panel ${type}`).slice(0, 23)}`;

interface Wanted {
  readonly database: Database;
  readonly registry: Registry;
  readonly roles: Roles;
  /** Types of roles; the first may do everything. */
  readonly types: readonly string[];
  readonly actions: ReadonlySet<string>;
  /** Roles whose permissions are declared elsewhere. */
  readonly declared: Readonly<Record<string, unknown>>;
  readonly recorders: readonly Recorder[];
}

/** What a new role may do; nothing where that is declared elsewhere. */
const actionsFor = ({ types, actions, declared }: Wanted, type: string): readonly string[] => {
  if (declared[type]) return [];
  return type === types[0] ? [...actions, EVERYTHING] : [...actions].filter((action) => !isAdministration(action));
};

/**
 * Creates the missing roles. If the first was created here, it gets any new actions; a role of the project's own never
 * gains any.
 */
export const preparePanelRoles = async (wanted: Wanted): Promise<void> => {
  const { database, registry, roles, types, actions, declared, recorders } = wanted;
  const [first = ""] = types;
  let isChanged = false;
  await database.transaction(async (session) => {
    for (const type of types.filter((each) => !roles.byType(each))) {
      isChanged = true;
      const description = "May use the panel.";
      const role = { type, name: nameOf(type), description };
      const documentId = documentIdOf(type);
      const granted = actionsFor(wanted, type);
      await insertRole(session, registry, role, granted, documentId);
      await recordAct(session, recorders, permissionChange({ documentId, type }, { granted }), system);
    }
    const known = roles.byType(first);
    if (!known?.can(EVERYTHING) || declared[first]) return;
    const missing = [...actions].filter((action) => !known.can(action));
    if (missing.length === 0) return;
    isChanged = true;
    await grant(session, known.documentId, missing);
    await recordAct(session, recorders, permissionChange(known, { granted: missing }), system);
  });
  if (isChanged) await roles.changed();
};

const FIRST = {
  username: "admin",
  email: "admin@localhost.invalid",
  provider: "local",
  confirmed: true,
  blocked: false,
};

const taken = (): Error => new Error("There is a user called admin.");

const hasUsers = async ({ database, registry }: AccountServices, roles: readonly Role[]): Promise<boolean> => {
  const { table, id, role } = userColumns(registry);
  const ids = roles.map(({ documentId }) => documentId);
  return (await run(database, builder.select({ id }).from(table).where(inArray(role, ids)).limit(1))).length > 0;
};

/**
 * Creates the first panel user if no role of the panel has one.
 *
 * @returns the path of the panel where that user sets a password; undefined if there was a user already
 */
export const firstPanelUser = async (
  services: AccountServices,
  types: readonly string[],
): Promise<string | undefined> => {
  const roles = types.flatMap((type) => services.auth.roles.byType(type) ?? []);
  const [first] = roles;
  if (!first || (await hasUsers(services, roles))) return undefined;
  const isThere = () => findTaken(services, { names: [FIRST.username], emails: [FIRST.email] });
  if (await isThere()) return undefined;
  const data = { ...FIRST, password: unknownPassword(), role: first.documentId };
  const user = await createUser(services, system, data, taken).catch(async (error: unknown) => {
    // Another starting process has created it meanwhile, and reports it.
    if (await isThere()) return undefined;
    throw error;
  });
  return user && invitation(services, user);
};
