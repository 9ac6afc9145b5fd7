/** The roles of those who may use the panel, and the first of them. */
import { hash, randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import { system } from "../../access/caller.ts";
import type { Database } from "../../database/database.ts";
import { builder, run } from "../../database/statement.ts";
import type { Registry } from "../../schema/registry.ts";
import { issueCode } from "../codes.ts";
import type { AccountServices } from "../services.ts";
import { findTaken, type User, userColumns } from "../users/user-store.ts";
import { createUser } from "../users/user-writes.ts";
import { grant, insertRole, type Role, type Roles } from "./roles.ts";

/** Seconds for which a link is good with which somebody sets a password. */
const LIFESPAN = 3 * 24 * 60 * 60;

/** Actions on users, roles and the server, which only the first role gets. */
const isAdministration = (action: string): boolean =>
  /^plugin::(?:users-permissions\.(?:user|role|permissions)|email)\./.test(action) && !action.endsWith(".user.me");

const nameOf = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1).replaceAll("-", " ");

/** The same in every process, so that two that start together do not create a role twice. */
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
}

/** Creates the roles that are missing. The first is given every action that there is, unless others are declared for it. */
export const preparePanelRoles = async ({
  database,
  registry,
  roles,
  types,
  actions,
  declared,
}: Wanted): Promise<void> => {
  const all = [...actions];
  const [first = ""] = types;
  let isChanged = false;
  await database.transaction(async (session) => {
    for (const type of types.filter((each) => !roles.byType(each))) {
      isChanged = true;
      const description = "May use the panel.";
      const granted = type === first ? all : all.filter((action) => !isAdministration(action));
      await insertRole(session, registry, { type, name: nameOf(type), description }, granted, documentIdOf(type));
    }
    const known = roles.byType(first);
    const missing = known && !declared[first] ? all.filter((action) => !known.actions.has(action)) : [];
    if (!known || missing.length === 0) return;
    isChanged = true;
    await grant(session, known.documentId, missing);
  });
  if (isChanged) await roles.changed();
};

/** A path of the panel with which a user sets a password; it can be used once. */
export const invitation = async (
  { database }: Pick<AccountServices, "database">,
  { documentId }: User,
): Promise<string> => `/welcome#${await issueCode(database, "reset-password", documentId, LIFESPAN)}`;

/** A password that nobody knows, for a user who is to set one. */
export const unknownPassword = (): string => randomBytes(32).toString("base64url");

const FIRST = {
  username: "admin",
  email: "admin@localhost.invalid",
  provider: "local",
  confirmed: true,
  blocked: false,
};

const hasUsers = async ({ database, registry }: AccountServices, roles: readonly Role[]): Promise<boolean> => {
  const { table, id, role } = userColumns(registry);
  const ids = roles.map(({ documentId }) => documentId);
  return (await run(database, builder.select({ id }).from(table).where(inArray(role, ids)).limit(1))).length > 0;
};

/**
 * Creates the first user of the panel where none of its roles has one.
 *
 * @returns the path of the panel with which that user sets a password; undefined where there was a user
 */
export const firstPanelUser = async (
  services: AccountServices,
  types: readonly string[],
): Promise<string | undefined> => {
  const roles = types.flatMap((type) => services.auth.roles.byType(type) ?? []);
  const [first] = roles;
  if (!first || (await hasUsers(services, roles))) return undefined;
  if (await findTaken(services, { names: [FIRST.username], emails: [FIRST.email] })) return undefined;
  const data = { ...FIRST, password: unknownPassword(), role: first.documentId };
  const user = await createUser(services, system, data, () => new Error("There is a user called admin."));
  return invitation(services, user);
};
