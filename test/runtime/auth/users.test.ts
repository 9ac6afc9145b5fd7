import { expect, test } from "vitest";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { at, authApp, password, registration, textAt } from "../../support/auth-app.ts";
import { secrets } from "../../support/services.ts";

const legacy = { auth: { jwt: { mode: "legacy" } } } as const;
const app = await authApp({ config: legacy });
const register = async (name: string): Promise<string> => {
  const { body } = await app.send("POST", "/api/auth/local/register", { body: registration(name) });
  return textAt(body, "jwt");
};
const message = (body: unknown): unknown => at(body, "error.message");

test("a visitor registers, and is who the token says", async () => {
  const answer = await app.send("POST", "/api/auth/local/register", {
    body: { ...registration("Ann"), email: "Ann@Example.TEST" },
  });
  expect(answer.status).toBe(200);
  const user = {
    id: expect.any(Number),
    documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
    username: "Ann",
    email: "ann@example.test",
    provider: "local",
    confirmed: true,
    blocked: false,
    nickname: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    publishedAt: expect.any(String),
  };
  expect(answer.body).toEqual({ jwt: expect.any(String), user });
  const me = await app.send("GET", "/api/users/me", { token: textAt(answer.body, "jwt") });
  expect(me.body).toEqual(user);
});

test("names and addresses that somebody has are refused", async () => {
  await register("Taken");
  for (const body of [
    registration("Taken"),
    { ...registration("Another"), email: "TAKEN@example.test" },
    { ...registration("Taken"), email: "free@example.test" },
  ]) {
    const answer = await app.send("POST", "/api/auth/local/register", { body });
    expect(answer.status).toBe(400);
    expect(message(answer.body)).toBe("Email or Username are already taken");
  }
});

test("missing members of a registration are named all at once", async () => {
  const { status, body } = await app.send("POST", "/api/auth/local/register", { body: {} });
  expect(status).toBe(400);
  expect(message(body)).toBe("3 errors occurred");
  expect(at(body, "error.details.errors")).toEqual(
    ["email", "username", "password"].map((name) => ({
      path: [name],
      message: `${name} is a required field`,
      name: "ValidationError",
    })),
  );
});

test.each([
  ["name", "Login"],
  ["address in any case", "LOGIN@example.test"],
])("a user logs in by %s", async (_by, identifier) => {
  await app.send("POST", "/api/auth/local/register", { body: registration("Login") });
  const answer = await app.send("POST", "/api/auth/local", { body: { identifier, password } });
  expect(answer.status).toBe(200);
  expect(at(answer.body, "user.username")).toBe("Login");
});

test("an unknown user and a wrong password are refused in the same words", async () => {
  await register("Known");
  const answers = await Promise.all(
    [
      { identifier: "Known", password: "wrong one" },
      { identifier: "Unknown", password: "wrong one" },
      { identifier: "known", password },
    ].map((body) => app.send("POST", "/api/auth/local", { body })),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(message(answer.body)).toBe("Invalid identifier or password");
  }
});

test("a user may do what the role allows, and nothing that only the public may", async () => {
  const token = await register("Reader");
  expect((await app.send("GET", "/api/articles", { token })).status).toBe(403);
  expect((await app.send("GET", "/api/users", { token })).status).toBe(403);
  expect((await app.send("POST", "/api/auth/local", { token, body: {} })).status).toBe(403);
});

test("a token that is not valid is a 401 on every known route, and never the public", async () => {
  for (const token of ["bad", "a.b.c", "0".repeat(256)]) {
    expect((await app.send("GET", "/api/articles", { token })).status).toBe(401);
    expect((await app.send("POST", "/api/auth/local", { token, body: {} })).status).toBe(401);
    expect((await app.send("GET", "/api/nope", { token })).status).toBe(404);
  }
});

test("a header that is no bearer token counts as none", async () => {
  for (const authorization of ["Basic YTpi", "Bearer", "Bearer a b", "word"]) {
    const { status } = await app.send("GET", "/api/articles", { headers: { authorization } });
    expect(status).toBe(403);
  }
});

test("a blocked or deleted user is a 401, with a token that was good before", async () => {
  const token = await register("Gone");
  const me = await app.send("GET", "/api/users/me", { token });
  const id = Number(at(me.body, "id"));
  const { system } = await import("../../../runtime/access/caller.ts");
  const { updateUser, deleteUser } = await import("../../../runtime/accounts/users/user-writes.ts");
  const { findUserBy } = await import("../../../runtime/accounts/users/user-store.ts");
  const user = await findUserBy(app.services, { id });
  if (!user) throw new Error("The user is there.");
  await updateUser(app.services, system, user, { blocked: true });
  expect((await app.send("GET", "/api/users/me", { token })).body).toMatchObject({
    error: { status: 401, message: "Invalid credentials" },
  });
  const login = await app.send("POST", "/api/auth/local", { body: { identifier: "Gone", password } });
  expect(message(login.body)).toBe("Your account has been blocked by an administrator");
  await updateUser(app.services, system, user, { blocked: false });
  expect((await app.send("GET", "/api/users/me", { token })).status).toBe(401);
  await deleteUser(app.services, system, user);
  expect((await app.send("GET", "/api/users/me", { token })).status).toBe(401);
});

test("of two who delete a user at once one is answered with the user, the other with nothing", async () => {
  await register("Twice");
  const [[id] = []] = await app.database.rows("select id from up_users where username = 'Twice'");
  const name = "deleter";
  const token = await createApiToken(app.database, secrets.tokenSalt, {
    name,
    type: "full-access",
    permissions: [],
    expiresAt: null,
  });
  const remove = () => app.send("DELETE", `/api/users/${String(id)}`, { token });
  const answers = await Promise.all([remove(), remove()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 204]);
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ username: "Twice" });
});

test.each(["a\u0000b", "\ud800"])("text that no database can hold is a 400: %j", async (identifier) => {
  const answer = await app.send("POST", "/api/auth/local", { body: { identifier, password } });
  expect(answer.status).toBe(400);
});

test("a write of the application's own to a user ends tokens too", async () => {
  const { anyDocuments } = await import("../../../runtime/documents/create-documents.ts");
  const service = anyDocuments(app.services)("plugin::users-permissions.user");
  for (const [name, data] of [
    ["written-password", { password: "Another passw0rd" }],
    ["written-blocked", { blocked: true }],
  ] as const) {
    const token = await register(name);
    const me = await app.send("GET", "/api/users/me", { token });
    await service.update(textAt(me.body, "documentId"), { data });
    await expect.poll(async () => (await app.send("GET", "/api/users/me", { token })).status).toBe(401);
  }
});

test("a user deleted by the application is a 401 at once", async () => {
  const { anyDocuments } = await import("../../../runtime/documents/create-documents.ts");
  const token = await register("deleted");
  const me = await app.send("GET", "/api/users/me", { token });
  await anyDocuments(app.services)("plugin::users-permissions.user").delete(textAt(me.body, "documentId"));
  await expect.poll(async () => (await app.send("GET", "/api/users/me", { token })).status).toBe(401);
});
