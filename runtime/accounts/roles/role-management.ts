/** Management of roles by administrators. */
import { count, eq } from "drizzle-orm";
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError, NotFoundError, ValidationError } from "../../base/errors.ts";
import { builder, run } from "../../database/database.ts";
import * as operations from "../../documents/operations/index.ts";
import { recordAct } from "../../documents/recorders.ts";
import { objectsOf, readMany } from "../../query/index.ts";
import { membersOf, optionalText, readBody, text } from "../body-check.ts";
import type { AccountServices } from "../services.ts";
import { userColumns, userUid } from "../users/user-store.ts";
import { IDENTITY, writingFor } from "../users/user-writes.ts";
import { grant, permissionChange, revoke, type Role, roleUid } from "./roles.ts";

/**
 * All actions as a tree, with whether each is granted: `{ "api::article": { controllers: { article: { find: … } } } }`.
 */
export type ActionTree = Record<
  string,
  { controllers: Record<string, Record<string, { enabled: boolean; policy: string }>> }
>;

/** The parts of an action's uid: type or plugin, controller, action. */
const partsOf = (action: string): readonly [string, string, string] => {
  const [owner = "", controller = "", name = ""] = action.split(".");
  return [owner, controller, name];
};

/** Actions that version 4 of the wire format lacks. */
const NEWER =
  /^api::.*\.(?:publish|unpublish|discardDraft|readDraft)$|\.content-api\.findPage$|\.auth\.(?:refresh|logout|getSessions|revokeSession)$/;

const isOld = ({ config }: Pick<AccountServices, "config">): boolean => config.rest.format === "v4";

/** The actions that trees show; in the format of version 4, only those that it had. */
const shownActions = (services: AccountServices): readonly string[] => {
  const { actions, registry } = services;
  if (!isOld(services)) return [...actions];
  const localized = Object.values(registry.contentTypes).filter(({ type }) => type.localized);
  return [
    ...[...actions].filter((action) => !NEWER.test(action)),
    ...localized.map(({ type: { uid } }) => `${uid}.createLocalization`),
  ];
};

export const actionTree = (services: AccountServices, granted: ReadonlySet<string> = new Set()): ActionTree => {
  const tree: ActionTree = {};
  for (const action of shownActions(services)) {
    const [owner, controller, name] = partsOf(action);
    const { controllers } = (tree[owner] ??= { controllers: {} });
    (controllers[controller] ??= {})[name] = { enabled: granted.has(action), policy: "" };
  }
  return tree;
};

/** The enabled actions in such a tree; throws for unknown ones. */
const enabledIn = ({ actions: known }: AccountServices, tree: unknown): ReadonlySet<string> => {
  const enabled = new Set<string>();
  for (const [owner, value] of Object.entries(membersOf(tree))) {
    for (const [controller, actions] of Object.entries(membersOf(membersOf(value).controllers))) {
      for (const [name, state] of Object.entries(membersOf(actions))) {
        const action = `${owner}.${controller}.${name}`;
        if (membersOf(state).enabled !== true) continue;
        if (!known.has(action)) throw new ValidationError(`There is no action "${action}"`);
        enabled.add(action);
      }
    }
  }
  return enabled;
};

const usersByRole = async ({ database, registry }: AccountServices): Promise<ReadonlyMap<string, number>> => {
  const { table, role } = userColumns(registry);
  const rows = await run(database, builder.select({ role, users: count() }).from(table).groupBy(role));
  return new Map(rows.map(([role, users]) => [String(role), Number(users)]));
};

type RoleDocument = Readonly<Record<string, unknown>>;

/** The roles as documents, in the order of their creation. */
const roleDocuments = async (services: AccountServices): Promise<readonly RoleDocument[]> => {
  const { documents } = await readMany(writingFor(services), services.registry.contentType(roleUid), {
    pagination: { start: 0, limit: -1, withCount: false },
  });
  return objectsOf(documents);
};

const shownRole = (services: AccountServices, document: RoleDocument): RoleDocument => {
  const { documentId: _, publishedAt: __, ...old } = document;
  return isOld(services) ? old : document;
};

/** All roles, with the number of users of each. */
export const listRoles = async (services: AccountServices) => {
  const [roles, users] = await Promise.all([roleDocuments(services), usersByRole(services)]);
  return roles.map((role) =>
    Object.assign({}, shownRole(services, role), { nb_users: users.get(String(role["documentId"])) ?? 0 }),
  );
};

/** The role with this id; 404 when there is none. */
const roleOf = ({ auth }: AccountServices, id: string): Role => {
  const role = auth.roles.all().find((each) => String(each.id) === id || each.documentId === id);
  if (!role) throw new NotFoundError("Role not found");
  return role;
};

/** A role with the tree of its permissions. */
export const showRole = async (services: AccountServices, id: string) => {
  const role = roleOf(services, id);
  const document = (await roleDocuments(services)).find((each) => each["documentId"] === role.documentId);
  return { ...shownRole(services, document ?? {}), permissions: actionTree(services, role.actions) };
};

const checkBody = (body: unknown): Readonly<Record<string, unknown>> => {
  const members = membersOf(body);
  if (Object.keys(members).length === 0) throw new ValidationError("Request body cannot be empty");
  return members;
};

const typeOf = async (name: string): Promise<string> => {
  const { default: slugify } = await import("@sindresorhus/slugify");
  return slugify(name, { separator: "_" });
};

/** Creates a role from a body with a name, and optionally a description, a type and permissions. */
export const addRole = async (services: AccountServices, caller: Caller, body: unknown): Promise<void> => {
  const { registry, auth } = services;
  const { permissions } = checkBody(body);
  const shape = z.object({ name: text, description: optionalText, type: optionalText });
  const { name, description, type: given } = readBody(shape, body);
  const type = given ?? (await typeOf(name));
  if (auth.roles.byType(type)) throw new ApplicationError(`There is a role of the type "${type}" already`);
  const actions = [...enabledIn(services, permissions)];
  await operations.create(writingFor(services, caller), registry.contentType(roleUid), {
    data: { name, description: description ?? "", type },
    query: IDENTITY,
    async also(session, documentId) {
      await grant(session, documentId, actions);
      const act = permissionChange({ documentId, type }, { granted: actions });
      await recordAct(session, services.recorders, act, caller);
    },
  });
  await auth.roles.changed();
};

/** Changes the members of a role that the body names. A tree of permissions replaces all permissions. */
export const editRole = async (services: AccountServices, caller: Caller, id: string, body: unknown): Promise<void> => {
  const { registry, auth } = services;
  const { permissions } = checkBody(body);
  const role = roleOf(services, id);
  const { name, description } = readBody(z.object({ name: optionalText, description: optionalText }), body);
  const hidden = isOld(services) ? [...role.actions].filter((action) => NEWER.test(action)) : [];
  const wanted = permissions === undefined ? role.actions : new Set([...enabledIn(services, permissions), ...hidden]);
  const granted = [...wanted].filter((action) => !role.actions.has(action));
  const revoked = [...role.actions].filter((action) => !wanted.has(action));
  await operations.update(writingFor(services, caller), registry.contentType(roleUid), role.documentId, {
    data: Object.fromEntries(Object.entries({ name, description }).filter(([, value]) => typeof value === "string")),
    query: IDENTITY,
    async also(session, documentId) {
      await grant(session, documentId, granted);
      await revoke(session, documentId, revoked);
      if (granted.length + revoked.length === 0) return;
      await recordAct(session, services.recorders, permissionChange(role, { granted, revoked }), caller);
    },
  });
  await auth.roles.changed();
};

/**
 * Deletes a role; its users get the public role. If the project has hooks for users, each of them is written
 * separately.
 */
export const removeRole = async (services: AccountServices, caller: Caller, id: string): Promise<void> => {
  const { registry, auth } = services;
  const role = roleOf(services, id);
  const heir = auth.roles.byType("public");
  if (!heir || role.documentId === heir.documentId) throw new ApplicationError("Cannot delete public role");
  const { table, role: roleColumn } = userColumns(registry);
  const inherit: operations.Also = async (session) =>
    void (await run(
      session,
      builder.update(table).set({ role: heir.documentId }).where(eq(roleColumn, role.documentId)),
    ));
  const remove = (context: operations.OperationContext) =>
    operations.remove(context, registry.contentType(roleUid), role.documentId, {}, inherit);
  const context = writingFor(services, caller);
  if (services.hooks[userUid] === undefined) await remove(context);
  else {
    await services.inUnit(async (inside) => {
      const within = { ...context, services: inside };
      const filters = { role: { documentId: role.documentId } };
      const users = registry.contentType(userUid);
      await operations.updateMany(within, users, { role: heir.documentId }, { filters });
      await remove(within);
    });
  }
  await auth.roles.changed();
  await auth.accounts.changed();
};
