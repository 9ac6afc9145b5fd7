/**
 * `GET /panel`: the caller, their permissions, and the content types and components that they may see: what any editing
 * interface needs.
 */
import type { Caller } from "../../access/caller.ts";
import { isListed } from "../../access/field-lists.ts";
import { findUserBy } from "../../accounts/users/user-store.ts";
import { ForbiddenError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Services } from "../../http/context.ts";
import { authenticated, type Router, router } from "../../http/rest/router.ts";
import { describeComponents, describeTypes } from "../../http/rest/schema-routes.ts";
import type { ComponentLayout } from "../../schema/layout.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import type { PanelConfig } from "./mount.ts";

/** The default value of an attribute, which the description of a type leaves out. */
const defaultOf = (schema: Schema, name: string): object => {
  const value = membersOf(schema).get(name)?.default;
  return value === undefined || value === null ? {} : { default: value };
};

/** Whether a caller can use an attribute: relations are refused if the caller may not read their target. */
const isUsable = (caller: Caller, attribute: unknown): boolean => {
  if (!isRecord(attribute) || attribute["private"] === true) return false;
  const { type, target } = attribute;
  return type !== "relation" || typeof target !== "string" || caller.can(`${target}.find`);
};

/** The layout of a type or component, and the attributes that a caller can use, each with its own layout. */
const shownTo = (
  caller: Caller,
  described: object,
  schema: Schema,
  { attributes, ...panel }: ComponentLayout = {},
) => ({
  panel,
  attributes: Object.fromEntries(
    Object.entries(described)
      .filter(([, attribute]) => isUsable(caller, attribute))
      .map(([name, attribute]): [string, unknown] => [
        name,
        { ...attribute, ...defaultOf(schema, name), panel: attributes?.[name] },
      ]),
  ),
});

const typesFor = ({ registry }: Services, caller: Caller) => {
  const described = new Map(describeTypes(registry).map(({ uid, schema }) => [uid, schema]));
  return Object.values(registry.contentTypes).flatMap(({ type, validator }) => {
    const { uid, localized, schedule: schedules = false, panel } = type;
    const schema = described.get(uid);
    if (!schema || !uid.startsWith("api::") || !caller.can(`${uid}.find`)) return [];
    const { attributes, pluginOptions: _options, visible: _visible, ...rest } = schema;
    const listed = Object.entries(attributes)
      .filter(([name]) => isListed(caller.fields, uid, name, "read"))
      .map(([name, attribute]) => {
        const isRefused = !isListed(caller.fields, uid, name, "write");
        return [name, isRefused && isRecord(attribute) ? { ...attribute, writable: false } : attribute];
      });
    return [{ uid, ...rest, localized, schedules, ...shownTo(caller, Object.fromEntries(listed), validator, panel) }];
  });
};

const componentsFor = ({ registry }: Services, caller: Caller) => {
  const described = new Map(describeComponents(registry).map((component) => [component.uid, component]));
  return Object.values(registry.components).flatMap(({ component: { uid, panel }, validator }) => {
    const found = described.get(uid);
    if (!found) return [];
    const { attributes, ...rest } = found.schema;
    return [{ uid, category: found.category, ...rest, ...shownTo(caller, attributes, validator, panel) }];
  });
};

type Described = ReturnType<typeof componentsFor>[number];

/** The components of the shown attributes, including nested ones. */
const reachedFrom = (types: readonly Pick<Described, "attributes">[], components: readonly Described[]) => {
  const found = new Set<unknown>();
  const visit = ({ attributes }: Pick<Described, "attributes">): void => {
    for (const attribute of Object.values(attributes).filter(isRecord)) {
      for (const inner of components) {
        const isIn = [attribute["component"], attribute["components"]].flat().includes(inner.uid);
        if (!isIn || found.has(inner)) continue;
        found.add(inner);
        visit(inner);
      }
    }
  };
  types.forEach(visit);
  return components.filter((each) => found.has(each));
};

/** The account and role of a caller, as far as it has them. */
export const userFor = async (services: Services, { userId, roleId }: Caller) => {
  const user = userId === undefined ? undefined : await findUserBy(services, { id: userId });
  const role = services.auth.roles.all().find(({ id }) => id === roleId);
  return { role: role?.type ?? null, user: user ? { id: user.id, username: user.username, email: user.email } : null };
};

/**
 * The permissions that the configuration declares, by role: all for callers who may see roles, otherwise those of the
 * caller's own role.
 */
const configuredFor = ({ config }: Services, caller: Caller, own: string | null) =>
  Object.fromEntries(
    Object.entries(config.permissions)
      .filter(([role]) => role === own || caller.can("plugin::users-permissions.role.find"))
      .map(([role, entries]) => [
        role,
        entries.map((entry) =>
          typeof entry === "string"
            ? { action: entry }
            : { action: entry.action, locales: entry.locales, isLimited: entry.where !== undefined },
        ),
      ]),
  );

/** The route, mounted below the REST prefix, for users with one of the panel's roles and for API tokens. */
export const panelRoutes = ({ roles }: PanelConfig): Router =>
  router().get("/panel", authenticated(), async (c) => {
    const services = c.get("services");
    const caller = c.get("caller");
    const who = await userFor(services, caller);
    if (caller.kind === "user" && (who.role === null || !roles.includes(who.role))) throw new ForbiddenError();
    const { locales, rest } = services.config;
    const contentTypes = typesFor(services, caller);
    return c.json({
      data: {
        ...who,
        roles,
        locales,
        drafts: rest.drafts,
        actions: [...services.actions].filter((action) => caller.can(action)),
        configured: configuredFor(services, caller, who.role),
        contentTypes,
        components: reachedFrom(contentTypes, componentsFor(services, caller)),
      },
    });
  });
