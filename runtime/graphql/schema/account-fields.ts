/** Operations of accounts: logging in, registration, passwords. */
import { GraphQLError } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { tooMany } from "../../accounts/rate-limit.ts";
import { roleUid } from "../../accounts/roles/roles.ts";
import { changePassword, forgotPassword, logIn, resetPassword } from "../../accounts/users/login.ts";
import { confirmEmail, register } from "../../accounts/users/register.ts";
import { issueTokens } from "../../accounts/users/sessions.ts";
import { findUser, type UserRead, withRole } from "../../accounts/users/user-reads.ts";
import type { User } from "../../accounts/users/user-store.ts";
import { objectOf } from "../../query/index.ts";
import type { InputRef, MutationFields, ObjectRef } from "../builder.ts";
import type { GraphqlContext, Node } from "../context.ts";
import { read } from "./ready.ts";
import type { Scope } from "./scope.ts";

/** Counts an attempt towards the limit of its REST path, and refuses it if there were too many. */
const countAttempt = async (
  { services, address }: GraphqlContext,
  attempt: { readonly path: string; readonly email?: unknown },
): Promise<void> => {
  const allowance = await services.auth.rateLimit.count({ ...attempt, address });
  if (allowance?.exceeded) throw tooMany();
};

/** What `me` shows of a user: what the caller sees in lists, plus the role, whatever the caller may find. */
const meNode = async ({ services, caller }: GraphqlContext, id: number, how?: UserRead): Promise<Node | null> => {
  const withRoles: Caller = { ...caller, can: (action) => action === `${roleUid}.find` || caller.can(action) };
  const user = await findUser(services, withRoles, id, withRole(caller), how);
  if (!user) return null;
  const node = objectOf(user);
  // The entity format identifies every document by its documentId, so a user has the same id everywhere.
  return services.config.graphql.format === "entity" ? { ...node, id: node["documentId"] } : node;
};

/** Logs the user in. The response has no field for a refresh token, so the token lives as long as one of REST does. */
const loginNode = async (context: GraphqlContext, user: User): Promise<Node> => {
  const { jwt } = await issueTokens(context.services, context.caller, user);
  return { jwt, user: await meNode(context, user.id, { isAnswer: true }) };
};

/** The logged-in user; null for callers who are not users, such as API tokens. */
const currentUser = async (context: GraphqlContext): Promise<Node | null> => {
  const { userId } = context.caller;
  if (userId === undefined) throw new GraphQLError("Authentication requested");
  return meNode(context, userId);
};

export const addAccountFields = (scope: Scope): void => {
  scope.builder.queryField("me", (t) =>
    t.field({
      type: me(scope),
      can: "plugin::users-permissions.user.me",
      resolve: (_root, _args, context) => currentUser(context),
    }),
  );
  scope.builder.mutationFields((t) => ({
    login: login(scope, t),
    register: registration(scope, t),
    emailConfirmation: confirmation(scope, t),
    forgotPassword: forgottenPassword(scope, t),
    resetPassword: newPassword(scope, t),
    changePassword: passwordChange(scope, t),
  }));
};

const login = (scope: Scope, t: MutationFields) =>
  t.field({
    type: loginPayload(scope),
    nullable: false,
    can: [],
    args: { input: t.arg({ type: loginInput(scope), required: true }) },
    resolve: async (_root, { input }, context) => {
      await countAttempt(context, { path: "/auth/local" });
      return loginNode(context, await logIn(context.services, context.caller, input));
    },
  });

const registration = (scope: Scope, t: MutationFields) =>
  t.field({
    type: loginPayload(scope),
    nullable: false,
    description: "Register a user",
    can: [],
    args: { input: t.arg({ type: registerInput(scope), required: true }) },
    resolve: async (_root, { input }, context) => {
      await countAttempt(context, { path: "/auth/local/register", email: input["email"] });
      const user = await register(context.services, context.caller, input);
      if (!context.services.config.auth.register.confirmEmail) return loginNode(context, user);
      return { jwt: null, user: await meNode(context, user.id, { isAnswer: true }) };
    },
  });

const confirmation = (scope: Scope, t: MutationFields) =>
  t.field({
    type: loginPayload(scope),
    description: "Confirm an email users email address",
    can: [],
    args: { confirmation: t.arg.string({ required: true }) },
    resolve: async (_root, { confirmation: code }, context) =>
      loginNode(context, await confirmEmail(context.services, context.caller, { confirmation: code })),
  });

const forgottenPassword = (scope: Scope, t: MutationFields) =>
  t.field({
    type: okPayload(scope, "UsersPermissionsPasswordPayload"),
    description: "Request a reset password token",
    can: [],
    args: { email: t.arg.string({ required: true }) },
    resolve: async (_root, args, context) => {
      await countAttempt(context, { path: "/auth/forgot-password", email: args.email });
      await forgotPassword(context.services, args);
      return { ok: true };
    },
  });

/** A new password, given twice. */
const passwordArgs = (t: MutationFields) => ({
  password: t.arg.string({ required: true }),
  passwordConfirmation: t.arg.string({ required: true }),
});

const newPassword = (scope: Scope, t: MutationFields) =>
  t.field({
    type: loginPayload(scope),
    description: "Reset user password. Confirm with a code (resetToken from forgotPassword)",
    can: [],
    args: { ...passwordArgs(t), code: t.arg.string({ required: true }) },
    resolve: async (_root, args, context) => {
      await countAttempt(context, { path: "/auth/reset-password" });
      return loginNode(context, await resetPassword(context.services, context.caller, args));
    },
  });

const passwordChange = (scope: Scope, t: MutationFields) =>
  t.field({
    type: loginPayload(scope),
    description: "Change user password. Confirm with the current password.",
    can: "plugin::users-permissions.auth.changePassword",
    args: { currentPassword: t.arg.string({ required: true }), ...passwordArgs(t) },
    resolve: async (_root, args, context) => {
      await countAttempt(context, { path: "/auth/change-password" });
      return loginNode(context, await changePassword(context.services, context.caller, args));
    },
  });

const meRole = (scope: Scope): ObjectRef =>
  scope.refs.define("UsersPermissionsMeRole", (t) => ({
    id: t.id({ nullable: false, resolve: read }),
    name: t.string({ nullable: false, resolve: read }),
    description: t.string({ resolve: read }),
    type: t.string({ resolve: read }),
  }));

/** The logged-in user. */
export const me = (scope: Scope): ObjectRef =>
  scope.refs.define("UsersPermissionsMe", (t) => ({
    id: t.id({ nullable: false, resolve: read }),
    ...(scope.format === "flat" ? { documentId: t.id({ nullable: false, resolve: read }) } : {}),
    username: t.string({ nullable: false, resolve: read }),
    email: t.string({ resolve: read }),
    confirmed: t.boolean({ resolve: read }),
    blocked: t.boolean({ resolve: read }),
    role: t.field({ type: meRole(scope), resolve: read }),
  }));

export const loginPayload = (scope: Scope): ObjectRef =>
  scope.refs.define("UsersPermissionsLoginPayload", (t) => ({
    jwt: t.string({ resolve: read }),
    user: t.field({ type: me(scope), nullable: false, resolve: read }),
  }));

/** The type `{ ok }`, under the given name. */
export const okPayload = (scope: Scope, name: string): ObjectRef =>
  scope.refs.define(name, (t) => ({
    ok: t.boolean({ nullable: false, resolve: read }),
  }));

export const loginInput = (scope: Scope): InputRef =>
  scope.refs.defineInput("UsersPermissionsLoginInput", (t) => ({
    identifier: t.string({ required: true }),
    password: t.string({ required: true }),
    provider: t.string({ required: true, defaultValue: "local" }),
  }));

export const registerInput = (scope: Scope): InputRef =>
  scope.refs.defineInput("UsersPermissionsRegisterInput", (t) => ({
    username: t.string({ required: true }),
    email: t.string({ required: true }),
    password: t.string({ required: true }),
  }));
