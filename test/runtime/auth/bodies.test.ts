import { expect, test } from "vitest";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { at, authApp, password, registration, textAt } from "../../support/auth-app.ts";
import { secrets } from "../../support/services.ts";

const app = await authApp({ config: { auth: { jwt: { mode: "legacy" }, register: { confirmEmail: false } } } });
const full = await createApiToken(app.database, secrets.tokenSalt, {
  name: "full",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});
const send = (method: string, path: string, body?: unknown, token?: string) =>
  app.send(method, path, { ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) });
const registered = async (name: string) => (await send("POST", "/api/auth/local/register", registration(name))).body;

interface Told {
  readonly path: string[];
  readonly message: string;
}

/** What an answer says is wrong: its name, and each problem with its path. */
const problems = ({ status, body }: { status: number; body: unknown }): readonly unknown[] => {
  const errors = at(body, "error.details.errors");
  const told = Array.isArray(errors) ? errors.map(({ path, message }: Told) => `${path.join(".")}: ${message}`) : [];
  return [status, at(body, "error.name"), ...(told.length > 0 ? told.toSorted() : [at(body, "error.message")])];
};

const make = async (body: unknown) => problems(await send("POST", "/api/users", body, full));
const reset = async (body: unknown) => problems(await send("POST", "/api/auth/reset-password", body));
const list = (query: string) => send("GET", `/api/users?fields=id&${query}`, undefined, full);

const wrong = (path: string, type: string, value: string): string =>
  `${path}: ${path || "this"} must be a \`${type}\` type, but the final value was: \`${value}\`.`;
const required = (path: string): string => `${path}: ${path} is a required field`;
const invalid = (...told: string[]) => [400, "ValidationError", ...told];

test.each([
  [{ email: null }, invalid(wrong("email", "string", "null"))],
  [{ email: "" }, invalid(required("email"))],
  [{ email: "a@b" }, invalid("email: email must be a valid email")],
  [{ email: "a@b.c", page: 1 }, invalid(": this field has unspecified keys: page")],
  [["a@b.c"], invalid(wrong("", "object", '[\n  "\\"a@b.c\\""\n]'))],
])("asking for a new password with %j is refused with every problem named", async (body, expected) => {
  expect(problems(await send("POST", "/api/auth/forgot-password", body))).toEqual(expected);
});

test.each([["a@b.c"], ["é+tag@ü.de"], ["under_score@a_b.co.uk"]])("%s is an e-mail address", async (email) => {
  expect((await send("POST", "/api/auth/forgot-password", { email })).status).toBe(200);
});

const twice = (text: string) => ({ password: text, passwordConfirmation: text });

test.each([
  [{}, invalid(...["currentPassword", "password", "passwordConfirmation"].map(required))],
  [
    { currentPassword: password, password: "a new one", passwordConfirmation: "another" },
    invalid("passwordConfirmation: Passwords do not match"),
  ],
  [{ currentPassword: password, ...twice("a new one"), x: 1 }, invalid(": this field has unspecified keys: x")],
  [{ currentPassword: password, ...twice("x".repeat(73)) }, invalid("password: Password must be less than 73 bytes")],
  [{ currentPassword: null, ...twice("a new one") }, invalid(wrong("currentPassword", "string", "null"))],
  [
    { currentPassword: password, ...twice(password) },
    invalid("Your new password must be different than your current password"),
  ],
  [{ currentPassword: "wrong", ...twice("a new one") }, invalid("The provided current password is invalid")],
])("changing a password with %j changes nothing", async (body, expected) => {
  const name = `change-${Math.random()}`;
  const token = textAt(await registered(name), "jwt");
  expect(problems(await send("POST", "/api/auth/change-password", body, token))).toEqual(expected);
  expect((await send("POST", "/api/auth/local", { identifier: name, password })).status).toBe(200);
});

test("who is nobody in particular has no password to change", async () => {
  expect(problems(await send("POST", "/api/auth/change-password", {}, full))).toEqual([
    400,
    "ApplicationError",
    "You must be authenticated to reset your password",
  ]);
  expect((await send("POST", "/api/auth/change-password", {})).status).toBe(403);
});

test("a code for a new password is judged only in a body that makes sense", async () => {
  expect(await reset({ code: "x", ...twice("a new one") })).toEqual(invalid("Incorrect code provided"));
  expect(await reset({ code: "x", ...twice("a new one"), more: 1 })).toEqual(
    invalid(": this field has unspecified keys: more"),
  );
  expect(await reset({ code: 5, password: "a new one", passwordConfirmation: "" })).toEqual(
    invalid(wrong("code", "string", "5"), required("passwordConfirmation")),
  );
});

test.each([
  ["", invalid(required("confirmation"))],
  ["?confirmation=", invalid(required("confirmation"))],
  ["?confirmation[]=x", invalid(wrong("confirmation", "string", '[\n  "\\"x\\""\n]'))],
  ["?confirmation=x", invalid("Invalid token")],
])("the confirmation of an address with the query %j is refused", async (query, expected) => {
  expect(problems(await send("GET", `/api/auth/email-confirmation${query}`))).toEqual(expected);
});

test("asking to confirm an address that nobody has gives it back as it was sent", async () => {
  const answer = await send("POST", "/api/auth/send-email-confirmation", { email: "NoBody@Example.test" });
  expect([answer.status, answer.body]).toEqual([200, { email: "NoBody@Example.test", sent: true }]);
});

test("nobody registers somebody's address as a name, nor somebody's name as an address", async () => {
  await registered("Owner");
  await send("POST", "/api/auth/local/register", { ...registration("mailer"), username: "name@example.test" });
  for (const body of [
    { ...registration("Thief"), username: "owner@example.test" },
    { ...registration("Thief"), email: "NAME@example.test" },
  ]) {
    const answer = await send("POST", "/api/auth/local/register", body);
    expect(problems(answer)).toEqual([400, "ApplicationError", "Email or Username are already taken"]);
  }
});

const roleId = async (): Promise<number> =>
  Number(at((await send("GET", "/api/users-permissions/roles", undefined, full)).body, "roles.0.id"));

test("a user is made with a role, in the words that clients know", async () => {
  const role = await roleId();
  const user = registration("Made");
  expect(await make({ ...user, username: "", role })).toEqual(
    invalid(required("username"), "username: username must be at least 1 characters"),
  );
  expect(await make({ ...user, role: null })).toEqual(invalid(wrong("role", "object", "null")));
  expect(await make({ ...user, role: true })).toEqual(invalid(wrong("role", "strapiID", "true")));
  expect(await make({ ...user, role: {} })).toEqual(invalid(required("role.connect")));
  expect(await make({ ...user, role: { connect: [] } })).toEqual(invalid("role.connect: Users must have a role"));
  // Rules of the type itself come after the checks of the body, and are told by their message alone.
  expect(await make({ ...user, role: 999_999 })).toEqual([
    400,
    "ApplicationError",
    "1 relation(s) of type plugin::users-permissions.role associated with this entity do not exist",
  ]);
  const made = await send("POST", "/api/users", { ...user, role, provider: "google" }, full);
  expect([made.status, at(made.body, "provider"), at(made.body, "role.id")]).toEqual([201, "local", role]);
});

test("what a user is changed to may not be empty", async () => {
  const id = at(await registered("Changed"), "user.id");
  const change = async (body: unknown) => problems(await send("PUT", `/api/users/${id}`, body, full));
  expect(await change({ username: "", email: "", password: "" })).toEqual(
    invalid(...["email", "password", "username"].map((name) => `${name}: ${name} must be at least 1 characters`)),
  );
  expect(await change({ username: null })).toEqual(invalid(wrong("username", "string", "null")));
  expect(await change({ role: null })).toEqual(invalid(wrong("role", "object", "null")));
  expect(await change({ role: { connect: [], disconnect: [1] } })).toEqual(
    invalid("role.disconnect: Cannot remove role"),
  );
  const role = await roleId();
  const changed = await send("PUT", `/api/users/${id}`, { role: { connect: [{ id: role }], disconnect: [] } }, full);
  expect([changed.status, at(changed.body, "role.id")]).toEqual([200, role]);
});

test("one user is shown only when the query fits, and the whole query is checked", async () => {
  const id = at(await registered("Single"), "user.id");
  const status = async (query: string) => (await send("GET", `/api/users/${id}${query}`, undefined, full)).status;
  expect(await status("?filters[username]=Single")).toBe(200);
  expect(await status("?filters[username]=Other")).toBe(204);
  expect(await status("?filters[$or][0][username]=Other&filters[$or][1][email]=x")).toBe(204);
  const refused = await send("GET", `/api/users/${id}?filters[password]=x`, undefined, full);
  expect(problems(refused)).toEqual(invalid("Invalid key password"));
  expect(at(refused.body, "error.details.path")).toBe("password");
  expect(await status("?sort=nope")).toBe(400);
  expect((await send("GET", "/api/users/count?sort=nope", undefined, full)).status).toBe(400);
});

test("lists of users take whole numbers at the top of the query, and nothing else", async () => {
  await registered("Listed");
  const { body } = await list("");
  expect(Array.isArray(body) && body.length > 1).toBe(true);
  for (const query of ["limit=0", "limit=-1", "pagination[pageSize]=1", "page=2&pageSize=1"]) {
    expect((await list(query)).body).toEqual(body);
  }
  expect((await list("start=1&limit=1")).body).toEqual([at(body, "1")]);
  for (const query of ["limit=abc", "limit=-2", "limit=1.5", "limit[]=1", "start=abc", "start=-1"]) {
    expect((await list(query)).status).toBe(400);
  }
});

test("roles are refused by name", async () => {
  const roles = "/api/users-permissions/roles";
  expect(problems(await send("POST", roles, {}, full))).toEqual(invalid("Request body cannot be empty"));
  const { body } = await send("GET", roles, undefined, full);
  expect(at(body, "roles.1.type")).toBe("public");
  const answer = await send("DELETE", `${roles}/${at(body, "roles.1.id")}`, undefined, full);
  expect(problems(answer)).toEqual([400, "ApplicationError", "Cannot delete public role"]);
});
