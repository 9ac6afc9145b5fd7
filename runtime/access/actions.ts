/** Actions that permissions are granted for: `<uid of a type or controller>.<action>`. */
import type { ContentType } from "../schema/content-type.ts";
import type { Declarations } from "../schema/declarations.ts";

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
  ...["getContentTypes", "getContentType"].map((action) => `plugin::content-type-builder.content-types.${action}`),
  ...["getComponents", "getComponent"].map((action) => `plugin::content-type-builder.components.${action}`),
];

/** The actions of one content type. */
const actionsOf = ({ uid, kind, draftAndPublish }: ContentType): string[] =>
  [
    ...(kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"]),
    ...(draftAndPublish ? ["publish", "unpublish", "discardDraft", "readDraft"] : []),
  ].map((action) => `${uid}.${action}`);

/** Every action that can be granted: those of the declared types and of the built-in controllers. */
export const declaredActions = ({ contentTypes }: Declarations): readonly string[] => [
  ...Object.values(contentTypes)
    .filter(({ type }) => !type.uid.startsWith("plugin::"))
    .flatMap(({ type }) => actionsOf(type)),
  ...pluginActions,
];

/** The permissions of the two built-in roles in a new database. */
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
