/** Actions that permissions are about: `<uid of a type or controller>.<action>`. */
import { Hono } from "hono";
import type { Application } from "../app/application.ts";
import type { AppEnv } from "../http/context.ts";
import type { ContentType } from "../schema/content-type.ts";

/** What is attached to the handlers that `can` makes, so that routes tell which actions they need. */
export const actionOf: unique symbol = Symbol("action");

const usersPermissions = {
  auth: [
    "callback",
    "connect",
    "forgotPassword",
    "resetPassword",
    "changePassword",
    "register",
    "emailConfirmation",
    "sendEmailConfirmation",
    "refresh",
    "logout",
    "getSessions",
    "revokeSession",
  ],
  user: ["find", "findOne", "count", "me", "create", "update", "destroy"],
  role: ["find", "findOne", "createRole", "updateRole", "deleteRole"],
  permissions: ["getPermissions"],
};

const pluginActions: readonly string[] = [
  ...Object.entries(usersPermissions).flatMap(([controller, actions]) =>
    actions.map((action) => `plugin::users-permissions.${controller}.${action}`),
  ),
  ...["find", "findOne", "findPage", "upload", "destroy"].map((action) => `plugin::upload.content-api.${action}`),
  "plugin::i18n.locales.listLocales",
  "plugin::email.email.send",
];

/** The actions of one content type. */
const actionsOf = ({ uid, kind, draftAndPublish }: ContentType): string[] =>
  [
    ...(kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"]),
    ...(draftAndPublish ? ["publish", "unpublish", "discardDraft", "readDraft"] : []),
  ].map((action) => `${uid}.${action}`);

const isAction = (handler: object): handler is { [actionOf]: string } =>
  actionOf in handler && typeof handler[actionOf] === "string";

/** Every action that may be granted: those of the declared types, of the built-in parts, and of the user's own routes. */
export const grantableActions = ({ contentTypes, extensions }: Application): ReadonlySet<string> => {
  const own = new Hono<AppEnv>();
  for (const extension of Object.values(extensions)) extension.routes?.(own);
  return new Set([
    ...Object.values(contentTypes)
      .filter(({ type }) => !type.uid.startsWith("plugin::"))
      .flatMap(({ type }) => actionsOf(type)),
    ...pluginActions,
    ...own.routes.flatMap(({ handler }) => (isAction(handler) ? [handler[actionOf]] : [])),
  ]);
};

/** What the two built-in roles may do before anyone granted them anything. */
export const defaultPermissions: Readonly<Record<string, readonly string[]>> = {
  public: [
    "callback",
    "connect",
    "forgotPassword",
    "resetPassword",
    "register",
    "emailConfirmation",
    "sendEmailConfirmation",
    "refresh",
  ].map((action) => `plugin::users-permissions.auth.${action}`),
  authenticated: [
    "plugin::users-permissions.auth.logout",
    "plugin::users-permissions.auth.getSessions",
    "plugin::users-permissions.auth.revokeSession",
    "plugin::users-permissions.auth.changePassword",
    "plugin::users-permissions.user.me",
  ],
};
