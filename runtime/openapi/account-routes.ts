/** Descriptions of the account routes: logging in, users, roles. Their answers are not wrapped in `data`. */
import { jsonBody, type OperationDescription } from "./endpoint.ts";
import { type JsonObject, list, record, ref, text, truth } from "./json-schema.ts";
import { parameterRef } from "./queries.ts";

type Table = Readonly<Record<string, Omit<OperationDescription, "tag">>>;

const done = record({ ok: { const: true } }, ["ok"]);
const userShape: readonly JsonObject[] = [
  parameterRef("UserFields"),
  parameterRef("UserPopulate"),
  parameterRef("UserFilters"),
];

const tokens = { jwt: text, refreshToken: text };
const login = ref("Login");

const body = (properties: JsonObject, required: readonly string[]): JsonObject => {
  const schema = record(properties, required);
  return { ...jsonBody(schema), "application/x-www-form-urlencoded": { schema } };
};

const password = { type: "string", format: "password" };
const device = { deviceId: text };

const auth: Table = {
  "POST /auth/local": {
    operationId: "logIn",
    summary: "Logs a user in",
    body: body({ identifier: text, password, ...device }, ["identifier", "password"]),
    answers: { 200: login },
  },
  "POST /auth/local/register": {
    operationId: "register",
    summary: "Makes a user; what else visitors may set is configured",
    body: body({ username: text, email: text, password, ...device }, ["username", "email", "password"]),
    answers: { 200: record({ ...tokens, user: ref("User") }, ["user"]) },
  },
  "POST /auth/forgot-password": {
    operationId: "forgotPassword",
    summary: "Mails a link by which a password can be set",
    body: body({ email: text }, ["email"]),
    answers: { 200: done },
  },
  "POST /auth/reset-password": {
    operationId: "resetPassword",
    summary: "Sets a password with the code of a mail",
    body: body({ code: text, password, passwordConfirmation: password }, ["code", "password", "passwordConfirmation"]),
    answers: { 200: login },
  },
  "POST /auth/change-password": {
    operationId: "changePassword",
    summary: "Changes one's own password",
    body: body({ currentPassword: password, password, passwordConfirmation: password }, [
      "currentPassword",
      "password",
      "passwordConfirmation",
    ]),
    answers: { 200: login },
  },
  "GET /auth/email-confirmation": {
    operationId: "confirmEmail",
    summary: "Confirms an address with the code of a mail, and leads to the front end",
    parameters: [{ name: "confirmation", in: "query", required: true, schema: text }],
    answers: { 302: null },
  },
  "POST /auth/send-email-confirmation": {
    operationId: "sendEmailConfirmation",
    summary: "Mails a link once more by which an address is confirmed",
    body: body({ email: text }, ["email"]),
    answers: { 200: record({ email: text, sent: truth }, ["email", "sent"]) },
  },
  "POST /auth/refresh": {
    operationId: "refreshSession",
    summary: "A new access token for a refresh token, which stands in the body or in a cookie",
    body: body({ refreshToken: text }, []),
    answers: { 200: record(tokens, ["jwt"]) },
  },
  "POST /auth/logout": {
    operationId: "logOut",
    summary: "Ends a session, those of a device, or all",
    body: body({ refreshToken: text, scope: text, ...device }, []),
    answers: { 200: done },
  },
  "GET /auth/sessions": {
    operationId: "findSessions",
    summary: "One's own sessions",
    answers: { 200: record({ data: list({ type: "object" }) }, ["data"]) },
  },
  "DELETE /auth/sessions/:sessionId": {
    operationId: "revokeSession",
    summary: "Ends one of one's own sessions",
    answers: { 200: record({ data: record({}) }, ["data"]) },
  },
  "GET /connect/:provider": {
    operationId: "connectProvider",
    summary: "Leads to the login page of a provider of identities",
    answers: { 302: null },
  },
  "GET /connect/:provider/callback": {
    operationId: "returnFromProvider",
    summary: "Where a provider sends its users back to; leads to the front end",
    answers: { 302: null },
  },
  "GET /auth/:provider/callback": {
    operationId: "logInByProvider",
    summary: "Tokens for the code that the front end was given",
    parameters: [{ name: "access_token", in: "query", required: true, schema: text }],
    answers: { 200: login },
  },
};

/** A new user has to have a name, an address and a role; what else is taken are the attributes of the type. */
const users: Table = {
  "GET /users/count": {
    operationId: "countUsers",
    summary: "How many users there are",
    parameters: [parameterRef("UserFilters")],
    answers: { 200: { type: "integer" } },
  },
  "GET /users/me": {
    operationId: "findMe",
    summary: "Who is asking",
    parameters: userShape,
    answers: { 200: ref("User") },
  },
  "GET /users": {
    operationId: "findUsers",
    summary: "All users, or as many as `limit` says",
    parameters: [...userShape, parameterRef("sort"), parameterRef("start"), parameterRef("limit")],
    answers: { 200: list(ref("User")) },
  },
  "POST /users": {
    operationId: "createUser",
    summary: "Makes a user",
    body: jsonBody({ allOf: [ref("UserChanges")], required: ["username", "email", "password", "role"] }),
    answers: { 201: ref("User") },
  },
  "GET /users/:id": {
    operationId: "findUser",
    summary: "One user, by the number of its row; nothing when there is none",
    parameters: userShape,
    answers: { 200: ref("User"), 204: null },
  },
  "PUT /users/:id": {
    operationId: "updateUser",
    summary: "Changes a user",
    body: jsonBody(ref("UserChanges")),
    answers: { 200: ref("User") },
  },
  "DELETE /users/:id": {
    operationId: "deleteUser",
    summary: "Deletes a user, and shows it for the last time",
    answers: { 200: ref("User"), 204: null },
  },
};

const roleBody = record({ name: text, description: text, type: text, permissions: { type: "object" } });

const roles: Table = {
  "GET /users-permissions/roles": {
    operationId: "findRoles",
    summary: "All roles",
    answers: {
      200: record({ roles: list({ allOf: [ref("Role"), record({ nb_users: { type: "integer" } })] }) }, ["roles"]),
    },
  },
  "GET /users-permissions/roles/:id": {
    operationId: "findRole",
    summary: "One role, with what it may do",
    answers: {
      200: record({ role: { allOf: [ref("Role"), record({ permissions: { type: "object" } })] } }, ["role"]),
    },
  },
  "POST /users-permissions/roles": {
    operationId: "createRole",
    summary: "Makes a role",
    body: jsonBody(roleBody),
    answers: { 200: done },
  },
  "PUT /users-permissions/roles/:role": {
    operationId: "updateRole",
    summary: "Changes a role; a tree of permissions replaces what it may do",
    body: jsonBody(roleBody),
    answers: { 200: done },
  },
  "DELETE /users-permissions/roles/:role": {
    operationId: "deleteRole",
    summary: "Deletes a role; its users become public",
    answers: { 200: done },
  },
  "GET /users-permissions/permissions": {
    operationId: "findPermissions",
    summary: "Every action there is",
    answers: { 200: record({ permissions: { type: "object" } }, ["permissions"]) },
  },
};

const tagged = (tag: string, table: Table): Readonly<Record<string, OperationDescription>> =>
  Object.fromEntries(Object.entries(table).map(([route, description]) => [route, { ...description, tag }]));

/** By method and path below the prefix. */
export const accountRoutes: Readonly<Record<string, OperationDescription>> = {
  ...tagged("Authentication", auth),
  ...tagged("Users", users),
  ...tagged("Roles", roles),
};

/** Schemas of these answers. */
export const accountSchemas = (): JsonObject => ({
  Login: record({ ...tokens, user: ref("User") }, ["jwt", "user"]),
});

/** Paging of bare lists. */
export const accountParameters = (): JsonObject => {
  const count = { type: "integer" };
  return {
    start: { name: "start", in: "query", schema: count, description: "How many to pass over." },
    limit: { name: "limit", in: "query", schema: count, description: "How many at most; all where it is `-1`." },
  };
};
