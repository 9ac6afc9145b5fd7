/** Operations of accounts: logging in, registration, passwords. */
import { confirmEmail } from "../../accounts/users/confirmation.ts";
import { logIn } from "../../accounts/users/login.ts";
import { changePassword, forgotPassword, resetPassword } from "../../accounts/users/new-password.ts";
import { register } from "../../accounts/users/register.ts";
import type { InputRef, MutationFields, ObjectRef } from "../builder.ts";
import { countAttempt, currentUser, loginNode, meNode } from "../operations/accounts.ts";
import { read } from "./read.ts";
import type { Scope } from "./scope.ts";

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
      return loginNode(context, await logIn(context.services, input));
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
