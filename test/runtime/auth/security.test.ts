import { createHmac, createSecretKey } from "node:crypto";
import bcrypt from "bcrypt";
import { SignJWT } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import {
  at,
  type Answer,
  type AuthApp,
  authApp,
  password,
  registration,
  textAt,
  usersDatabase,
} from "../../support/auth-app.ts";
import { secrets } from "../../support/services.ts";

const database = await usersDatabase();
const app = await authApp({ database });
const legacy = await authApp({ database, config: { auth: { jwt: { mode: "legacy" } } } });

const register = (name: string, body: object = {}, on: AuthApp = app) =>
  on.send("POST", "/api/auth/local/register", { body: { ...registration(name), ...body } });
const logIn = (identifier: string, text: string) =>
  app.send("POST", "/api/auth/local", { body: { identifier, password: text } });
const fullAccess = (name: string): Promise<string> =>
  createApiToken(database, secrets.tokenSalt, { name, type: "full-access", permissions: [], expiresAt: null });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

test("a token without a signature is refused, whatever it calls its algorithm", async () => {
  const { body } = await register("unsigned", {}, legacy);
  const claims = encoded({ id: at(body, "user.id"), exp: inAnHour() });
  for (const alg of ["none", "None", "NONE", "nOnE", "HS256"]) {
    const answer = await legacy.send("GET", "/api/users/me", { token: `${encoded({ alg })}.${claims}.` });
    expect(answer.status).toBe(401);
  }
});

test("a token signed with our secret under another algorithm is refused", async () => {
  const { body } = await register("algorithms", {}, legacy);
  const id = Number(at(body, "user.id"));
  const key = createSecretKey(Buffer.from(secrets.jwt));
  const sign = (alg: string) => new SignJWT({ id }).setProtectedHeader({ alg }).setExpirationTime("1h").sign(key);
  expect((await legacy.send("GET", "/api/users/me", { token: await sign("HS256") })).status).toBe(200);
  for (const alg of ["HS384", "HS512"]) {
    expect((await legacy.send("GET", "/api/users/me", { token: await sign(alg) })).status).toBe(401);
  }
});

test("a token that never expires is refused", async () => {
  const { body } = await register("eternal", {}, legacy);
  const key = createSecretKey(Buffer.from(secrets.jwt));
  const token = await new SignJWT({ id: Number(at(body, "user.id")) }).setProtectedHeader({ alg: "HS256" }).sign(key);
  expect((await legacy.send("GET", "/api/users/me", { token })).status).toBe(401);
});

test("a key id or key inside a token does not choose the key", async () => {
  const { body } = await register("header", {}, legacy);
  const own = Buffer.from("a key of the attacker's, long enough");
  const header = encoded({ alg: "HS256", kid: "../../dev/null", jwk: { kty: "oct", k: own.toString("base64url") } });
  const claims = encoded({ id: at(body, "user.id"), exp: inAnHour() });
  const signature = createHmac("sha256", own).update(`${header}.${claims}`).digest("base64url");
  const answer = await legacy.send("GET", "/api/users/me", { token: `${header}.${claims}.${signature}` });
  expect(answer.status).toBe(401);
});

test.each([
  ["role", 1],
  ["confirmed", true],
  ["blocked", false],
  ["provider", "acme"],
  ["id", 1],
  ["documentId", "x"],
  ["internalNote", "x"],
  ["resetPasswordToken", "x"],
  ["nickname", "x"],
  ["__proto__x", "x"],
])("registration does not let visitors set %s", async (name, value) => {
  const answer = await register(`assign-${name}`, { [name]: value });
  expect(answer.body).toMatchObject({ error: { status: 400, message: `Invalid parameters: ${name}` } });
});

test("registration lets visitors set what the configuration allows, and nothing more", async () => {
  const open = await authApp({ database, config: { auth: { register: { allowedFields: ["nickname"] } } } });
  const answer = await register("allowed", { nickname: "Al" }, open);
  expect(at(answer.body, "user.nickname")).toBe("Al");
  expect((await register("allowed2", { nickname: "Al", internalNote: "x" }, open)).status).toBe(400);
});

test("registration can be turned off", async () => {
  const closed = await authApp({ database, config: { auth: { register: { enabled: false } } } });
  expect((await register("closed", {}, closed)).body).toMatchObject({
    error: { status: 400, message: "Register action is currently disabled" },
  });
});

test("nobody can take somebody's address as a name and stand in the way of their login", async () => {
  await register("owner");
  await register("owner@example.test", { email: "squatter@example.test", password: "Another passw0rd" });
  expect(at((await logIn("owner@example.test", password)).body, "user.username")).toBe("owner");
  expect((await logIn("owner@example.test", "Another passw0rd")).status).toBe(400);
});

test("two registrations at once with one name make one user", async () => {
  const shared = await usersDatabase("postgres", onTestFinished);
  const racing = await authApp({ database: shared });
  const answers = await Promise.all(Array.from({ length: 4 }, () => register("racer", {}, racing)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
});

test("a login compares a password with a hash whether the user exists or not", async () => {
  await register("timed");
  const compare = vi.spyOn(bcrypt, "compare");
  onTestFinished(() => compare.mockRestore());
  const costs: string[] = [];
  for (const identifier of ["timed", "nobody at all"]) {
    compare.mockClear();
    await app.send("POST", "/api/auth/local", { body: { identifier, password: "wrong one" } });
    expect(compare).toHaveBeenCalledTimes(1);
    costs.push(String(compare.mock.calls[0]?.[1]).slice(0, 7));
  }
  expect(costs[0]).toBe(costs[1]);
});

test.each([
  ["filters", "filters[password][$startsWith]=$2"],
  ["filters", "filters[internalNote]=x"],
  ["filters", "filters[$or][0][resetPasswordToken][$notNull]=true"],
  ["filters", "filters[role][users][password][$notNull]=true"],
  ["sort", "sort=password"],
  ["sort", "sort=confirmationToken:desc"],
  ["fields", "fields=password"],
  ["populate", "populate[role][populate][users][fields]=password"],
])("%s cannot ask for what is private: %s", async (_parameter, query) => {
  await register("private");
  const answer = await app.send("GET", `/api/users?${query}`, { token: await fullAccess(`private ${query}`) });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { name: "ValidationError" } });
});

test("no secret, hash or token appears in a log, in an error, or in an answer that it is not meant for", async () => {
  const answers: Answer[] = [];
  const send: AuthApp["send"] = async (...request) => {
    const answer = await app.send(...request);
    answers.push(answer);
    return answer;
  };
  const registered = await send("POST", "/api/auth/local/register", { body: registration("discreet") });
  const token = await fullAccess("discreet");
  const login = await send("POST", "/api/auth/local", { body: { identifier: "discreet", password } });
  const mail = app.nextMail();
  await send("POST", "/api/auth/forgot-password", { body: { email: "discreet@example.test" } });
  const code = /code=([0-9a-f]+)/.exec((await mail).text)?.[1] ?? "";
  for (const [method, path, options] of [
    ["GET", "/api/users?populate=*", { token }],
    ["GET", "/api/users/me?populate=*", { token: textAt(login.body, "jwt") }],
    ["GET", "/api/users-permissions/roles", { token }],
    ["GET", "/api/users?filters[id]=abc", { token }],
    ["POST", "/api/auth/local", { body: { identifier: "discreet", password: "wrong one" } }],
    ["POST", "/api/auth/reset-password", { body: { code: `${code}x`, password, passwordConfirmation: password } }],
    ["POST", "/api/auth/refresh", { body: { refreshToken: `${textAt(login.body, "refreshToken")}x` } }],
    ["GET", "/api/users/me", { token: `${textAt(login.body, "jwt")}x` }],
    ["POST", "/api/auth/local/register", { body: registration("discreet") }],
  ] as const) {
    await send(method, path, options);
  }
  await database.script("alter table user_sessions rename to gone");
  await send("POST", "/api/auth/local", { body: { identifier: "discreet", password } });
  await database.script("alter table gone rename to user_sessions");
  expect(answers.at(-1)?.status).toBe(500);

  const hashes = (
    await database.rows(
      "select password from up_users union select hash from api_tokens union select hash from one_time_codes",
    )
  ).flat();
  const kept = [secrets.jwt, secrets.tokenSalt, ...hashes.filter((hash) => typeof hash === "string")];
  const issued = [registered, login].flatMap(({ body }) => [textAt(body, "jwt"), textAt(body, "refreshToken")]);
  const others = answers.filter((answer) => answer !== registered && answer !== login).map(({ text }) => text);
  const everywhere = [...others, registered.text, login.text, app.logged()].join("\n");
  expect(app.logged()).toContain("a request failed");
  for (const secret of kept) expect(everywhere).not.toContain(secret);
  for (const secret of [...issued, token, code, password]) {
    expect(app.logged()).not.toContain(secret);
    expect(others.join("\n")).not.toContain(secret);
  }
});
