/** Types around logging in: names and members are those that clients of this schema know. */
import type { InputRef, ObjectRef } from "../builder.ts";
import { read } from "./read.ts";
import type { Scope } from "./scope.ts";

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

/** `{ ok }`, under one of several names. */
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
