import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { administrator, at, authApp, password, registration, textAt, usersDatabase } from "../../support/auth-app.ts";

const database = await usersDatabase();
const app = await authApp({ database });
const legacyMode = { auth: { jwt: { mode: "legacy" } } } as const satisfies ConfigInput;
const legacy = await authApp({ database, config: legacyMode });
const both = [
  ["refresh", app],
  ["legacy", legacy],
] as const;

const register = (name: string, on = app) => on.send("POST", "/api/auth/local/register", { body: registration(name) });
const jwtOf = (body: unknown): string => textAt(body, "jwt");
const message = (body: unknown): unknown => at(body, "error.message");
const resetCode = async (name: string, on = app): Promise<string> => {
  const mail = on.nextMail();
  await on.send("POST", "/api/auth/forgot-password", { body: { email: `${name}@example.test` } });
  return /code=([0-9a-f]{128})/.exec((await mail).text)?.[1] ?? "";
};
const reset = (code: unknown, on = app) =>
  on.send("POST", "/api/auth/reset-password", {
    body: { code, password: "New passw0rd", passwordConfirmation: "New passw0rd" },
  });

test.each(both)(
  "in %s mode a changed password ends what was issued before, and gives a new token",
  async (mode, on) => {
    const name = `changer-${mode}`;
    const token = jwtOf((await register(name, on)).body);
    const body = { currentPassword: password, password: "New passw0rd", passwordConfirmation: "New passw0rd" };
    const answer = await on.send("POST", "/api/auth/change-password", { token, body });
    expect(answer.status).toBe(200);
    expect((await on.send("GET", "/api/users/me", { token })).status).toBe(401);
    expect((await on.send("GET", "/api/users/me", { token: jwtOf(answer.body) })).status).toBe(200);
    const old = await on.send("POST", "/api/auth/local", { body: { identifier: name, password } });
    expect(message(old.body)).toBe("Invalid identifier or password");
  },
);

test.each(both)("in %s mode a reset password ends what was issued before", async (mode, on) => {
  const name = `forgetter-${mode}`;
  const before = (await register(name, on)).body;
  const answer = await reset(await resetCode(name, on), on);
  expect(answer.status).toBe(200);
  expect((await on.send("GET", "/api/users/me", { token: jwtOf(before) })).status).toBe(401);
  expect((await on.send("GET", "/api/users/me", { token: jwtOf(answer.body) })).status).toBe(200);
  if (mode === "legacy") return;
  const stale = { refreshToken: textAt(before, "refreshToken") };
  expect((await on.send("POST", "/api/auth/refresh", { body: stale })).status).toBe(401);
});

test("a reset code is good once", async () => {
  await register("once");
  const code = await resetCode("once");
  expect((await reset(code)).status).toBe(200);
  expect(message((await reset(code)).body)).toBe("Incorrect code provided");
});

test("a reset code is worth nothing once the password was changed otherwise, or the address", async () => {
  const token = jwtOf((await register("changed")).body);
  const code = await resetCode("changed");
  const body = { currentPassword: password, password: "New passw0rd", passwordConfirmation: "New passw0rd" };
  expect((await app.send("POST", "/api/auth/change-password", { token, body })).status).toBe(200);
  expect(message((await reset(code)).body)).toBe("Incorrect code provided");
  const id = at((await register("moved")).body, "user.id");
  const mailed = await resetCode("moved");
  const moved = { token: await administrator(app), body: { email: "elsewhere@example.test" } };
  expect((await app.send("PUT", `/api/users/${id}`, moved)).status).toBe(200);
  expect(message((await reset(mailed)).body)).toBe("Incorrect code provided");
});

test("a link confirms the address that it was sent to, and no other", async () => {
  const careful = await authApp({ database, config: { auth: { register: { confirmEmail: true } } } });
  const mail = careful.nextMail();
  const id = at((await register("mover", careful)).body, "user.id");
  const path = /\/api\/auth\/email-confirmation\?confirmation=[0-9a-f]+/.exec((await mail).text)?.[0] ?? "";
  const moved = { token: await administrator(careful), body: { email: "victim@elsewhere.test" } };
  expect((await careful.send("PUT", `/api/users/${id}`, moved)).status).toBe(200);
  expect(message((await careful.send("GET", path)).body)).toBe("Invalid token");
});

test("a new reset code makes the earlier one worthless", async () => {
  await register("newer");
  const first = await resetCode("newer");
  const second = await resetCode("newer");
  expect((await reset(first)).status).toBe(400);
  expect((await reset(second)).status).toBe(200);
});

test("a reset code expires", async () => {
  await register("late");
  const code = await resetCode("late");
  await database.rows("update one_time_codes set expires_at = now() - interval '1 minute'");
  expect((await reset(code)).status).toBe(400);
});

test("a reset code is not kept in a form that can be used", async () => {
  await register("hashed");
  const code = await resetCode("hashed");
  const stored = JSON.stringify(await database.rows("select * from one_time_codes"));
  expect(stored).not.toContain(code);
});

test.each([{}, { $ne: null }, ["x"], true, null, ""])(
  "%j as a reset code is refused, and changes nothing",
  async (code) => {
    const answer = await reset(code);
    expect(answer.status).toBe(400);
    expect(at(answer.body, "error.name")).toBe("ValidationError");
  },
);

test("a code for one purpose is no good for another", async () => {
  await register("purpose");
  const code = await resetCode("purpose");
  const answer = await app.send("GET", `/api/auth/email-confirmation?confirmation=${code}`);
  expect(message(answer.body)).toBe("Invalid token");
});

test("asking for a new password is answered alike whether the user exists, is blocked, or does not", async () => {
  await register("exists");
  await register("blocked");
  await database.rows("update up_users set blocked = true where username = 'blocked'");
  const count = app.mails.length;
  for (const name of ["nobody", "blocked"]) {
    const answer = await app.send("POST", "/api/auth/forgot-password", { body: { email: `${name}@example.test` } });
    expect(answer.body).toEqual({ ok: true });
  }
  const mail = app.nextMail();
  const answer = await app.send("POST", "/api/auth/forgot-password", { body: { email: "EXISTS@example.test" } });
  expect(answer.body).toEqual({ ok: true });
  expect((await mail).to).toBe("exists@example.test");
  expect(app.mails).toHaveLength(count + 1);
});

test.each([
  ["wrong current one", { currentPassword: "wrong" }, "The provided current password is invalid"],
  [
    "same as before",
    { password, passwordConfirmation: password },
    "Your new password must be different than your current password",
  ],
  ["differing confirmation", { passwordConfirmation: "other" }, "Passwords do not match"],
  [
    "over 72 bytes",
    { password: "é".repeat(37), passwordConfirmation: "é".repeat(37) },
    "Password must be less than 73 bytes",
  ],
])("changing a password is refused: %s", async (name, change, reason) => {
  const { body } = await register(name.replaceAll(" ", "-"));
  const answer = await app.send("POST", "/api/auth/change-password", {
    token: jwtOf(body),
    body: { currentPassword: password, password: "New passw0rd", passwordConfirmation: "New passw0rd", ...change },
  });
  expect(answer.status).toBe(400);
  expect(message(answer.body)).toBe(reason);
});

test("a password of 72 bytes is taken whole, and one byte more is refused at registration", async () => {
  const longest = "x".repeat(72);
  const body = { ...registration("long"), password: longest };
  expect((await app.send("POST", "/api/auth/local/register", { body })).status).toBe(200);
  const wrong = await app.send("POST", "/api/auth/local", { body: { identifier: "long", password: `${longest}y` } });
  expect(wrong.status).toBe(400);
  const more = { ...registration("longer"), password: `${longest}y` };
  expect(message((await app.send("POST", "/api/auth/local/register", { body: more })).body)).toBe(
    "Password must be less than 73 bytes",
  );
});

const logInMoved = (text: string) =>
  app.send("POST", "/api/auth/local", { body: { identifier: "moved", password: text } });

test("a longer password whose hash comes from another server goes on logging in", async () => {
  await register("moved");
  const long = "y".repeat(80);
  const hash = (await bcrypt.hash(long, 4)).replace("$2b$", "$2a$");
  await database.rows("update up_users set password = $1 where username = 'moved'", [hash]);
  expect((await logInMoved(long)).status).toBe(200);
  expect((await logInMoved("y".repeat(71))).status).toBe(400);
});

test("a check of the application's own decides on new passwords", async () => {
  const strict = await authApp({
    database,
    config: { auth: { passwords: { validate: (text) => /\d/.test(text) || "A digit is needed" } } },
  });
  const body = { ...registration("strict"), password: "no digits" };
  expect(message((await strict.send("POST", "/api/auth/local/register", { body })).body)).toBe("A digit is needed");
});

test("with confirmation, a new user logs in only after following the link, which is good once", async () => {
  const careful = await authApp({
    database,
    config: { auth: { register: { confirmEmail: true }, pages: { emailConfirmed: "https://front.example/welcome" } } },
  });
  const mail = careful.nextMail();
  const registered = await careful.send("POST", "/api/auth/local/register", { body: registration("careful") });
  expect(registered.body).toEqual({ user: expect.objectContaining({ confirmed: false }) });
  const login = { body: { identifier: "careful", password } };
  expect(message((await careful.send("POST", "/api/auth/local", login)).body)).toBe(
    "Your account email is not confirmed",
  );
  const path = /\/api\/auth\/email-confirmation\?confirmation=[0-9a-f]+/.exec((await mail).text)?.[0] ?? "";
  const confirmed = await careful.send("GET", path);
  expect(confirmed.status).toBe(302);
  expect(confirmed.headers.get("location")).toBe("https://front.example/welcome");
  expect((await careful.send("POST", "/api/auth/local", login)).status).toBe(200);
  expect(message((await careful.send("GET", path)).body)).toBe("Invalid token");
});

test("asking for a confirmation is answered alike whoever has the address, unless the configuration tells", async () => {
  const telling = await authApp({ database, config: { auth: { register: { tellConfirmed: true } } } });
  for (const name of ["done", "locked", "waiting"]) await register(name);
  await database.rows("update up_users set confirmed = false where username in ('locked', 'waiting')");
  await database.rows("update up_users set blocked = true where username = 'locked'");
  const ask = (email: string, on = app) => on.send("POST", "/api/auth/send-email-confirmation", { body: { email } });
  const mail = app.nextMail();
  for (const name of ["Done", "Locked", "Waiting", "Nobody"]) {
    const email = `${name}@example.test`;
    expect([name, (await ask(email)).body]).toEqual([name, { email, sent: true }]);
  }
  expect((await mail).to).toBe("waiting@example.test");
  expect(message((await ask("done@example.test", telling)).body)).toBe("Already confirmed");
  expect(message((await ask("locked@example.test", telling)).body)).toBe("User blocked");
});

test("a new password that is refused leaves the code good", async () => {
  await register("hasty");
  const code = await resetCode("hasty");
  const send = (text: string) =>
    app.send("POST", "/api/auth/reset-password", { body: { code, password: text, passwordConfirmation: text } });
  expect(message((await send("short")).body)).toMatch(/at least 6/);
  expect((await send("New passw0rd")).status).toBe(200);
  expect(message((await send("New passw0rd")).body)).toBe("Incorrect code provided");
});

test("mails hold nothing that users wrote about themselves", async () => {
  const careful = await authApp({ database, config: { auth: { register: { confirmEmail: true } } } });
  const username = "Ann\n\nYour account was hacked, go to https://evil.test";
  const confirmation = careful.nextMail();
  await careful.send("POST", "/api/auth/local/register", { body: { ...registration("victim"), username } });
  const reset = await Promise.all([confirmation, careful.nextMail(), resetCode("victim", careful)]);
  for (const mail of [reset[0], reset[1]]) {
    expect(mail.to).toBe("victim@example.test");
    expect(mail.text).not.toContain("evil.test");
    expect(mail.text.match(/https?:\/\/\S+/g)).toHaveLength(1);
  }
});
