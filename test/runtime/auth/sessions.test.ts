import { expect, test } from "vitest";
import { at, type AuthApp, authApp, password, registration, textAt } from "../../support/auth-app.ts";

const app = await authApp();

interface Login {
  readonly jwt: string;
  readonly refreshToken: string;
}
const tokensOf = (body: unknown): Login => ({ jwt: textAt(body, "jwt"), refreshToken: textAt(body, "refreshToken") });
const register = async (name: string): Promise<Login> =>
  tokensOf((await app.send("POST", "/api/auth/local/register", { body: registration(name) })).body);
const logIn = async (name: string, more: object = {}): Promise<Login> =>
  tokensOf((await app.send("POST", "/api/auth/local", { body: { identifier: name, password, ...more } })).body);
const refresh = (refreshToken: string) => app.send("POST", "/api/auth/refresh", { body: { refreshToken } });
const me = async (token: string): Promise<number> => (await app.send("GET", "/api/users/me", { token })).status;
const payloadOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test("a login opens a session whose access token is short-lived", async () => {
  const { jwt, refreshToken } = await register("Short");
  const access = payloadOf(jwt);
  expect(access).toEqual({
    userId: expect.stringMatching(/^\d+$/),
    sessionId: expect.any(String),
    type: "access",
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  expect(Number(at(access, "exp")) - Number(at(access, "iat"))).toBe(600);
  expect(at(payloadOf(refreshToken), "type")).toBe("refresh");
  expect(await me(jwt)).toBe(200);
});

test("a refresh token is no access token, and the other way round", async () => {
  const { jwt, refreshToken } = await register("Mixed");
  expect(await me(refreshToken)).toBe(401);
  const answer = await refresh(jwt);
  expect(answer.status).toBe(401);
  expect(at(answer.body, "error.message")).toBe("Invalid refresh token");
});

test("refreshing rotates the token, and a lost answer can be asked for again", async () => {
  const { refreshToken } = await register("Rotate");
  const first = tokensOf((await refresh(refreshToken)).body);
  expect(first.refreshToken).not.toBe(refreshToken);
  expect(await me(first.jwt)).toBe(200);
  const again = await refresh(refreshToken);
  expect(at(payloadOf(textAt(again.body, "refreshToken")), "jti")).toBe(at(payloadOf(first.refreshToken), "jti"));
});

test("a refresh token from before the last one ends the session: somebody has a copy", async () => {
  const { refreshToken } = await register("Stolen");
  const first = tokensOf((await refresh(refreshToken)).body);
  const second = tokensOf((await refresh(first.refreshToken)).body);
  expect((await refresh(refreshToken)).status).toBe(401);
  expect((await refresh(second.refreshToken)).status).toBe(401);
  expect(await me(second.jwt)).toBe(401);
});

/** Lets time pass for every session. */
const age = (seconds: number) =>
  app.database.rows(`update user_sessions set last_active_at = last_active_at - interval '${seconds} seconds'`);

test("the token that was spent last is good again for a minute only", async () => {
  const { refreshToken } = await register("Late");
  const first = tokensOf((await refresh(refreshToken)).body);
  await age(40);
  expect((await refresh(refreshToken)).status).toBe(200);
  await age(30);
  expect((await refresh(refreshToken)).status).toBe(401);
  expect((await refresh(first.refreshToken)).status).toBe(401);
});

test("two refreshes at once give the same successor", async () => {
  const { refreshToken } = await register("Twice");
  const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
  const ids = answers.map(({ body }) => at(payloadOf(textAt(body, "refreshToken")), "jti"));
  expect(ids[0]).toBe(ids[1]);
});

test("no refresh token is a 400, a made-up one a 401", async () => {
  expect((await app.send("POST", "/api/auth/refresh", { body: {} })).body).toMatchObject({
    error: { status: 400, name: "BadRequestError", message: "Missing refresh token" },
  });
  expect((await refresh("made.up.token")).status).toBe(401);
});

test("logging out ends the session at once, and no other", async () => {
  const one = await register("Leaver");
  const other = await logIn("Leaver");
  expect((await app.send("POST", "/api/auth/logout", { token: one.jwt })).body).toEqual({ ok: true });
  expect(await me(one.jwt)).toBe(401);
  expect((await refresh(one.refreshToken)).status).toBe(401);
  expect(await me(other.jwt)).toBe(200);
});

test("logging out everywhere ends every session", async () => {
  const one = await register("Everywhere");
  const other = await logIn("Everywhere");
  await app.send("POST", "/api/auth/logout", { token: one.jwt, body: { scope: "all" } });
  expect(await me(other.jwt)).toBe(401);
});

test("logging out a device ends its sessions", async () => {
  await register("Devices");
  const phone = await logIn("Devices", { deviceId: "phone" });
  const desk = await logIn("Devices", { deviceId: "desk" });
  await app.send("POST", "/api/auth/logout", { token: desk.jwt, body: { deviceId: "phone" } });
  expect(await me(phone.jwt)).toBe(401);
  expect(await me(desk.jwt)).toBe(200);
});

test("a user lists own sessions and revokes one, but nobody else's", async () => {
  const one = await register("Lister");
  await logIn("Lister", { deviceId: "phone" });
  const stranger = await register("Stranger");
  const listed = await app.send("GET", "/api/auth/sessions", { token: one.jwt });
  expect(listed.body).toEqual({
    data: [
      expect.objectContaining({ current: true, deviceId: null }),
      expect.objectContaining({ current: false, deviceId: "phone", loginAt: expect.any(String) }),
    ],
  });
  const id = textAt(listed.body, "data.1.id");
  const foreign = await app.send("DELETE", `/api/auth/sessions/${id}`, { token: stranger.jwt });
  expect(foreign.body).toMatchObject({ error: { status: 404, message: "Session not found" } });
  expect((await app.send("DELETE", `/api/auth/sessions/${id}`, { token: one.jwt })).body).toEqual({ data: {} });
  expect(at((await app.send("GET", "/api/auth/sessions", { token: one.jwt })).body, "data")).toHaveLength(1);
});

test("a session ends at its end even while its access token lives", async () => {
  const { jwt, refreshToken } = await register("Ended");
  await app.database.rows("update user_sessions set expires_at = now() - interval '1 minute'");
  await app.services.auth.accounts.changed();
  expect(await me(jwt)).toBe(401);
  expect((await refresh(refreshToken)).status).toBe(401);
});

test("a client that asks for it gets the refresh token in a cookie that scripts cannot read", async () => {
  const headers = { "x-strapi-refresh-cookie": "httpOnly" };
  await register("Cookie");
  const login = await app.send("POST", "/api/auth/local", { body: { identifier: "Cookie", password }, headers });
  expect(login.body).not.toHaveProperty("refreshToken");
  const cookie = login.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^strapi_up_refresh=[\w.-]+;/);
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain("SameSite=Lax");
  const answer = await app.send("POST", "/api/auth/refresh", {
    headers: { ...headers, cookie: cookie.split(";")[0] ?? "" },
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ jwt: expect.any(String) });
  expect(answer.headers.get("set-cookie")).toContain("strapi_up_refresh=");
});

const logInByForm = (on: AuthApp) =>
  on.app.request("/api/auth/local", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ identifier: "Lured", password }).toString(),
  });

test("no form, which any page may send, logs a browser in by a cookie", async () => {
  const strict = await authApp({ config: { auth: { sessions: { httpOnly: true } } }, database: app.database });
  await register("Lured");
  const refused = await logInByForm(strict);
  expect([refused.status, refused.headers.get("set-cookie")]).toEqual([400, null]);
  expect((await logInByForm(app)).status).toBe(200);
});

test("in legacy mode there are no sessions to speak of", async () => {
  const legacy = await authApp({ config: { auth: { jwt: { mode: "legacy" } } }, database: app.database });
  const login = await legacy.send("POST", "/api/auth/local/register", { body: registration("Legacy") });
  expect(payloadOf(textAt(login.body, "jwt"))).toEqual({
    id: expect.any(Number),
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  const token = textAt(login.body, "jwt");
  for (const [method, path, by] of [
    ["POST", "/api/auth/refresh", {}],
    ["POST", "/api/auth/logout", { token }],
    ["GET", "/api/auth/sessions", { token }],
    ["DELETE", "/api/auth/sessions/any", { token }],
  ] as const) {
    expect((await legacy.send(method, path, by)).status).toBe(404);
  }
  // Who may not do it is told nothing of the mode.
  expect((await legacy.send("POST", "/api/auth/logout")).status).toBe(403);
});
