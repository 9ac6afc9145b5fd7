/** Actions that permissions are granted for: `<uid of a type or controller>.<action>`. */
import type { Config } from "../config/config.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Declarations } from "../schema/registry.ts";

/** What visitors may do with accounts in a new database. */
const accountActions = [
  "callback",
  "connect",
  "forgotPassword",
  "resetPassword",
  "register",
  "emailConfirmation",
  "sendEmailConfirmation",
  "refresh",
];

/** What users may do with their own account in a new database. */
const sessionActions = ["logout", "getSessions", "revokeSession", "changePassword"];

const usersPermissions = {
  auth: [...accountActions, ...sessionActions],
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

/** What administrators do in the panel. No name ends with `find`, which read-only tokens could do. */
const PANEL_ACTIONS = ["token.list", "token.create", "token.revoke", "user.invite", "activity.read", "findings.read"];

const WEBHOOK_ACTIONS = ["webhook.list", "webhook.create", "webhook.delete", "webhook.test", "webhook.pause"];

/** The settings of parts that not every project has. */
export type Optional = Partial<
  Pick<Config, "audit" | "events" | "panel" | "sharing"> & { readonly media: Pick<Config["media"], "folders"> }
>;

/** The actions of optional parts, where a project has them. */
export const optionalActions = ({ events, audit, panel, sharing, media }: Optional): readonly string[] => {
  const ofEvents = ["delivery.find", "delivery.replay", ...WEBHOOK_ACTIONS, ...(events?.stream ? ["stream.find"] : [])];
  return [
    ...(events ? ofEvents.map((action) => `plugin::events.${action}`) : []),
    // No `find`: read-only tokens would have it.
    ...(audit ? ["plugin::audit.log.read"] : []),
    ...(panel ? PANEL_ACTIONS.map((action) => `plugin::panel.${action}`) : []),
    ...(sharing ? ["plugin::sharing.link.create"] : []),
    ...(media?.folders ? ["plugin::upload.folder.list", "plugin::upload.folder.change"] : []),
  ];
};

/** The actions of one content type. */
const actionsOf = ({ uid, kind, draftAndPublish, schedule, history }: ContentType): string[] =>
  [
    ...(kind === "singleType" ? ["find", "update", "delete"] : ["find", "findOne", "create", "update", "delete"]),
    ...(draftAndPublish ? ["publish", "unpublish", "discardDraft", "readDraft"] : []),
    ...(schedule ? ["schedule"] : []),
    ...(history ? ["findVersions", "findVersion", "compareVersions", "findDeleted", "restoreVersion"] : []),
  ].map((action) => `${uid}.${action}`);

/** Every action that can be granted: those of the declared types and of the built-in controllers. */
export const declaredActions = ({ contentTypes }: Declarations): readonly string[] => [
  ...Object.values(contentTypes)
    .filter(({ type }) => !type.uid.startsWith("plugin::"))
    .flatMap(({ type }) => actionsOf(type)),
  ...pluginActions,
];

const accountAction = (action: string): string => `plugin::users-permissions.auth.${action}`;

/** The permissions of the two built-in roles in a new database. */
export const defaultPermissions: Readonly<Record<string, readonly string[]>> = {
  public: accountActions.map(accountAction),
  authenticated: [...sessionActions.map(accountAction), "plugin::users-permissions.user.me"],
};
