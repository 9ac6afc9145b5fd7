/** Describes the runtime's own routes: accounts, files, declarations, locales and GraphQL. */
import { type Description, type Descriptions, jsonBody, operation, tagged } from "./endpoint.ts";
import { anyOf, integer, type JsonObject, list, ref, shape, text, truth } from "./json-schema.ts";
import { DEEP, inQuery, parameterRef } from "./queries.ts";

/** Bodies of JSON, or of a form. */
const form = (members: JsonObject): Partial<Description> => {
  const schema = shape(members);
  return { body: { ...jsonBody(schema), "application/x-www-form-urlencoded": { schema } } };
};

const REQUIRED = { required: true };
const anything: JsonObject = { type: "object" };
const done = shape({ ok: { const: true } });
const login = ref("Login");
const user = ref("User");
const password = { type: "string", format: "password" };
const newPassword = { password, passwordConfirmation: password };

const auth = tagged("Authentication", {
  "POST /auth/local": operation(
    "logIn",
    "Logs a user in",
    login,
    form({ identifier: text, password, "deviceId?": text }),
  ),
  "POST /auth/local/register": operation(
    "register",
    "Makes a user; what else visitors may set is configured",
    shape({ "jwt?": text, "refreshToken?": text, user }),
    form({ username: text, email: text, password, "deviceId?": text }),
  ),
  "POST /auth/forgot-password": operation(
    "forgotPassword",
    "Mails a link by which a password can be set",
    done,
    form({ email: text }),
  ),
  "POST /auth/reset-password": operation(
    "resetPassword",
    "Sets a password with the code of a mail",
    login,
    form({ code: text, ...newPassword }),
  ),
  "POST /auth/change-password": operation(
    "changePassword",
    "Changes one's own password",
    login,
    form({ currentPassword: password, ...newPassword }),
  ),
  "GET /auth/email-confirmation": operation(
    "confirmEmail",
    "Confirms an address with the code of a mail, and leads to the front end",
    null,
    { parameters: [inQuery("confirmation", text, "", REQUIRED)] },
  ),
  "POST /auth/send-email-confirmation": operation(
    "sendEmailConfirmation",
    "Mails a link once more by which an address is confirmed",
    shape({ email: text, sent: truth }),
    form({ email: text }),
  ),
  "POST /auth/refresh": operation(
    "refreshSession",
    "A new access token for a refresh token, which stands in the body or in a cookie",
    shape({ jwt: text, "refreshToken?": text }),
    form({ "refreshToken?": text }),
  ),
  "POST /auth/logout": operation(
    "logOut",
    "Ends a session, those of a device, or all",
    done,
    form({ "refreshToken?": text, "scope?": text, "deviceId?": text }),
  ),
  "GET /auth/sessions": operation("findSessions", "One's own sessions", shape({ data: list(anything) })),
  "DELETE /auth/sessions/:sessionId": operation(
    "revokeSession",
    "Ends one of one's own sessions",
    shape({ data: shape({}) }),
  ),
  "GET /connect/:provider": operation("connectProvider", "Leads to the login page of a provider of identities", null),
  "GET /connect/:provider/callback": operation(
    "returnFromProvider",
    "Where a provider sends its users back to; leads to the front end",
    null,
  ),
  "GET /auth/:provider/callback": operation(
    "logInByProvider",
    "Tokens for the code that the front end was given",
    login,
    { parameters: [inQuery("access_token", text, "", REQUIRED)] },
  ),
});

const filtered = { parameters: [parameterRef("UserFilters")] };
const shown = { parameters: ["UserFields", "UserPopulate", "UserFilters"].map(parameterRef) };
const paged = ["sort", "start", "limit"].map(parameterRef);
const userOrNothing = { answers: { 200: user, 204: null } };
/** What a new user must have, besides the other attributes of the type. */
const newUser = { allOf: [ref("UserChanges")], required: ["username", "email", "password", "role"] };

const users = tagged("Users", {
  "GET /users/count": operation("countUsers", "How many users there are", integer, filtered),
  "GET /users/me": operation("findMe", "Who is asking", user, shown),
  "GET /users": operation("findUsers", "All users, or as many as `limit` says", list(user), {
    parameters: [...shown.parameters, ...paged],
  }),
  "POST /users": operation("createUser", "Makes a user", null, { body: jsonBody(newUser), answers: { 201: user } }),
  "GET /users/:id": operation("findUser", "One user, by the number of its row; nothing when there is none", user, {
    ...shown,
    ...userOrNothing,
  }),
  "PUT /users/:id": operation("updateUser", "Changes a user", user, { body: jsonBody(ref("UserChanges")) }),
  "DELETE /users/:id": operation("deleteUser", "Deletes a user, and shows it for the last time", user, userOrNothing),
});

const roleBody = {
  body: jsonBody(shape({ "name?": text, "description?": text, "type?": text, "permissions?": anything })),
};
const roleWith = (more: JsonObject): JsonObject => ({ allOf: [ref("Role"), shape(more)] });

const roles = tagged("Roles", {
  "GET /users-permissions/roles": operation(
    "findRoles",
    "All roles",
    shape({ roles: list(roleWith({ "nb_users?": integer })) }),
  ),
  "GET /users-permissions/roles/:id": operation(
    "findRole",
    "One role, with what it may do",
    shape({ role: roleWith({ "permissions?": anything }) }),
  ),
  "POST /users-permissions/roles": operation("createRole", "Makes a role", done, roleBody),
  "PUT /users-permissions/roles/:role": operation(
    "updateRole",
    "Changes a role; a tree of permissions replaces what it may do",
    done,
    roleBody,
  ),
  "DELETE /users-permissions/roles/:role": operation("deleteRole", "Deletes a role; its users become public", done),
  "GET /users-permissions/permissions": operation(
    "findPermissions",
    "Every action there is",
    shape({ permissions: anything }),
  ),
});

const file = ref("File");
const fileInfo = {
  type: "string",
  description: "JSON: `name`, `alternativeText`, `caption`. Once, or once for each file.",
};
const upload = shape({
  "files?": list({ type: "string", format: "binary" }),
  "fileInfo?": anyOf(fileInfo, list(fileInfo)),
  "ref?": { type: "string", description: "The uid of the type that the files belong to." },
  "refId?": { type: "string", description: "The document that they belong to." },
  "field?": { type: "string", description: "Its attribute." },
});
const replacedFile = inQuery("id", integer, "The file that the new one takes the place of.");

const files = tagged("Files", {
  "POST /upload": {
    operationId: "uploadFiles",
    summary: "Takes files; with `id`, what is said of a file, or another file in its place",
    parameters: [replacedFile],
    body: { "multipart/form-data": { schema: upload }, ...jsonBody(shape({ "fileInfo?": {} })) },
    answers: { 200: file, 201: list(file) },
  },
  "GET /upload/files": operation("findFiles", "All files, or as many as `limit` says", list(file), {
    parameters: [...paged, parameterRef("FileFilters")],
  }),
  "GET /upload/files/page": operation(
    "findFilesPage",
    "A page of files",
    shape({ data: list(file), "meta?": shape({ "pagination?": ref("Pagination") }) }),
    { parameters: ["sort", "pagination", "FileFilters"].map(parameterRef) },
  ),
  "GET /upload/files/:id": operation("findFile", "What is known of a file", file),
  "DELETE /upload/files/:id": operation("deleteFile", "Deletes a file, and shows it for the last time", file),
});

const declared = { uid: text, schema: shape({ "attributes?": anything }) };
const declaredType = shape({ apiID: text, "plugin?": text, ...declared });
const declaredComponent = shape({ category: text, "apiId?": text, ...declared });
const declarationsOf = (kind: string, one: string, many: string, declaration: JsonObject) => ({
  [`GET /content-type-builder/${kind}s`]: operation(
    `find${many}`,
    `What ${kind.replace("-", " ")}s are declared, with their attributes`,
    shape({ data: list(declaration) }),
  ),
  [`GET /content-type-builder/${kind}s/:uid`]: operation(
    `find${one}`,
    `One ${kind.replace("-", " ")}`,
    shape({ data: declaration }),
  ),
});

const schemas = tagged("Schemas", {
  ...declarationsOf("content-type", "ContentType", "ContentTypes", declaredType),
  ...declarationsOf("component", "Component", "Components", declaredComponent),
});

const locale = shape({ id: integer, "documentId?": text, name: text, code: text, isDefault: truth });

const locales = tagged("Locales", {
  "GET /i18n/locales": operation("findLocales", "The configured locales", list(locale)),
});

/** Descriptions of all of them. */
export const builtInRoutes: Descriptions = { ...auth, ...users, ...roles, ...files, ...schemas, ...locales };

const graphqlAnswer = shape({ "data?": {}, "errors?": list(anything), "extensions?": anything });
const graphqlBody = shape({
  "query?": text,
  "variables?": { type: ["object", "null"] },
  "operationName?": { type: ["string", "null"] },
});

/** Descriptions of the GraphQL endpoint by method; its own schema describes the rest. */
export const graphqlRoutes = tagged("GraphQL", {
  GET: operation("queryGraphql", "Queries", graphqlAnswer, {
    parameters: ["query", "variables", "operationName"].map((name) => inQuery(name, text)),
    otherwise: graphqlAnswer,
  }),
  POST: operation("graphql", "Queries and mutations; the schema is in schema.graphql", graphqlAnswer, {
    body: jsonBody(graphqlBody),
    otherwise: graphqlAnswer,
  }),
});

/** The schemas and parameters that these descriptions refer to. */
export const builtInSchemas: JsonObject = {
  Login: shape({ jwt: text, "refreshToken?": text, user }),
};

export const builtInParameters: JsonObject = {
  start: inQuery("start", integer, "How many to pass over."),
  limit: inQuery("limit", integer, "How many at most; all where it is `-1`."),
  FileFilters: inQuery("filters", anything, "", DEEP),
};
