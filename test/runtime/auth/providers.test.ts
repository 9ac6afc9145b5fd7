import { afterAll, beforeEach, expect, test } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { at, authApp, password, registration, textAt } from "../../support/auth-app.ts";
import { startFakeProvider } from "../../support/fake-provider.ts";

const provider = await startFakeProvider("the client", "the client's secret");
afterAll(() => provider.close());
const acme = { clientId: "the client", clientSecret: "the client's secret", issuer: provider.issuer };
const app = await authApp({
  config: {
    server: { url: "https://cms.example" },
    auth: {
      providers: { acme, off: { ...acme, enabled: false }, quiet: { ...acme, emailsVerified: true } },
    },
  },
});

let person = 0;
beforeEach(() => {
  person += 1;
  const name = `Person ${person}`;
  provider.profile = { sub: `s${person}`, name, email: `Person${person}@Example.test`, email_verified: true };
});

const pathOf = (address: string): string => address.replace("https://cms.example", "");

/** The way to the provider and back, up to the callback that the browser is sent to. */
const leave = async (name = "acme"): Promise<{ back: string; cookie: string }> => {
  const departure = await app.send("GET", `/api/connect/${name}`);
  expect(departure.status).toBe(302);
  const cookie = departure.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { back: pathOf(await provider.authorize(departure.headers.get("location") ?? "")), cookie };
};
const arrive = async (name = "acme") => {
  const { back, cookie } = await leave(name);
  return app.send("GET", back, { headers: { cookie } });
};
const logIn = async () => app.send("GET", pathOf((await arrive()).headers.get("location") ?? ""));

test("somebody logs in at a provider, becomes a user, and is the same user the next time", async () => {
  const first = await logIn();
  expect(first.status).toBe(200);
  expect(at(first.body, "user")).toMatchObject({
    username: `Person ${person}`,
    email: `person${person}@example.test`,
    provider: "acme",
    confirmed: true,
  });
  const me = await app.send("GET", "/api/users/me", { token: textAt(first.body, "jwt") });
  expect(me.status).toBe(200);
  expect(at((await logIn()).body, "user.id")).toBe(at(first.body, "user.id"));
});

test("the request to the provider carries a state and a PKCE challenge, and no secret", async () => {
  const departure = await app.send("GET", "/api/connect/acme");
  const address = new URL(departure.headers.get("location") ?? "");
  expect(address.searchParams.get("state")).toMatch(/.{20,}/);
  expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  expect(address.href).not.toContain(encodeURIComponent(acme.clientSecret));
  expect(departure.headers.get("set-cookie")).toMatch(/HttpOnly/);
});

test("an answer of the provider that this browser did not ask for is refused", async () => {
  const mine = await leave();
  const other = await leave();
  for (const headers of [{}, { cookie: other.cookie }, { cookie: "galley_provider_login=made.up.state" }]) {
    const answer = await app.send("GET", mine.back, { headers });
    expect(answer.status).toBe(400);
  }
});

test("a code of the provider that was not obtained with our challenge is refused", async () => {
  const mine = await leave();
  const other = await leave();
  const stolen = new URL(mine.back, "https://cms.example");
  stolen.searchParams.set("code", new URL(other.back, "https://cms.example").searchParams.get("code") ?? "");
  const answer = await app.send("GET", pathOf(stolen.href), { headers: { cookie: mine.cookie } });
  expect(answer.body).toMatchObject({ error: { message: "The login at the provider did not succeed" } });
});

test("what the browser is sent on with is good once, and is no token of the provider's", async () => {
  const address = pathOf((await arrive()).headers.get("location") ?? "");
  expect((await app.send("GET", address)).status).toBe(200);
  expect((await app.send("GET", address)).status).toBe(400);
  expect((await app.send("GET", "/api/auth/acme/callback?access_token=of-another-client")).status).toBe(400);
});

test("where logins are answered with a cookie, no browser is logged in by a code that another one got", async () => {
  const sessions = { httpOnly: true };
  const auth = { sessions, providers: { acme } };
  const strict = await authApp({ config: { server: { url: "https://cms.example" }, auth }, database: app.database });
  const got = async () => {
    const departure = await strict.send("GET", "/api/connect/acme");
    const cookie = departure.headers.get("set-cookie")?.split(";")[0] ?? "";
    const back = pathOf(await provider.authorize(departure.headers.get("location") ?? ""));
    const arrived = await strict.send("GET", back, { headers: { cookie } });
    const bound = arrived.headers.getSetCookie().find((each) => each.startsWith("galley_provider_code=")) ?? "";
    expect(bound).toMatch(/; Path=\/api\/auth; HttpOnly; SameSite=Lax$/);
    return { callback: pathOf(arrived.headers.get("location") ?? ""), cookie: bound.split(";")[0] ?? "" };
  };
  const mine = await got();
  provider.profile = { sub: "attacker", name: "Attacker", email: "attacker@example.test", email_verified: true };
  const other = await got();
  for (const headers of [{}, { cookie: mine.cookie }]) {
    const lured = await strict.send("GET", other.callback, { headers });
    expect(lured.status).toBe(400);
    expect(lured.headers.get("set-cookie") ?? "").not.toContain("strapi_up_refresh=");
  }
  expect((await strict.send("GET", other.callback, { headers: { cookie: other.cookie } })).status).toBe(200);
  const own = await strict.send("GET", mine.callback, { headers: { cookie: mine.cookie } });
  expect(own.status).toBe(200);
  expect(own.headers.get("set-cookie")).toContain("strapi_up_refresh=");
});

test("an address that a user here has is not taken over by who has it at the provider", async () => {
  const taken = registration("victim");
  await app.send("POST", "/api/auth/local/register", { body: taken });
  provider.profile = { ...provider.profile, email: taken.email };
  expect((await arrive()).body).toMatchObject({ error: { message: "Email is already taken." } });
});

test("nobody is called by the address of another user because a provider says so", async () => {
  const other = registration("called");
  await app.send("POST", "/api/auth/local/register", { body: other });
  provider.profile = { ...provider.profile, preferred_username: other.email };
  expect(at((await logIn()).body, "user.username")).not.toBe(other.email);
});

test("no provider may have the name that users with a password are marked with", () => {
  const { clientId, clientSecret } = acme;
  const config = { auth: { providers: { local: { clientId, clientSecret, issuer: "https://id.test" } } } };
  expect(() => configSchema.parse(config)).toThrow("local is what users are marked with");
});

/** What providers have been seen to say of an address that nobody has verified. */
const noClaims = [false, "false", 0, 1, "", "yes", null, undefined];

test.each(noClaims)(
  "an address whose verification the provider states as %j makes no user and finds none",
  async (claim) => {
    provider.profile = { ...provider.profile, email_verified: claim };
    expect((await arrive()).body).toMatchObject({ error: { message: "Email was not available." } });
    const email = `imported${person}@example.test`;
    await app.send("POST", "/api/auth/local/register", { body: { ...registration(`imported${person}`), email } });
    await app.database.rows("update up_users set provider = 'acme' where email = $1", [email]);
    provider.profile = { ...provider.profile, email };
    expect((await arrive()).body).toMatchObject({ error: { message: "Email was not available." } });
  },
);

test("a user who was imported from this provider is found by an address that it has verified", async () => {
  const imported = registration("imported");
  await app.send("POST", "/api/auth/local/register", { body: imported });
  await app.database.rows("update up_users set provider = 'acme' where email = $1", [imported.email]);
  provider.profile = { ...provider.profile, email: imported.email, email_verified: "true" };
  expect(at((await logIn()).body, "user")).toMatchObject({ username: imported.username });
});

test("where the configuration answers for a provider's addresses, it may say nothing of them, but not no", async () => {
  provider.profile = { ...provider.profile, email_verified: undefined };
  expect((await arrive("quiet")).status).toBe(302);
  provider.profile = { ...provider.profile, sub: "another", email: "another@example.test", email_verified: "false" };
  expect((await arrive("quiet")).body).toMatchObject({ error: { message: "Email was not available." } });
});

test("who logs in at a provider has no password to log in with", async () => {
  await logIn();
  const body = { identifier: `person${person}@example.test`, password };
  expect((await app.send("POST", "/api/auth/local", { body })).status).toBe(400);
});

test("a blocked user does not get in through a provider", async () => {
  await logIn();
  await app.database.rows("update up_users set blocked = true where provider = 'acme'");
  expect((await logIn()).body).toMatchObject({
    error: { message: "Your account has been blocked by an administrator" },
  });
  await app.database.rows("update up_users set blocked = false");
});

test.each(["facebook", "off", "constructor", "__proto__"])("the provider %s is disabled", async (name) => {
  for (const path of [`/api/connect/${name}`, `/api/auth/${name}/callback`]) {
    expect((await app.send("GET", path)).body).toMatchObject({ error: { message: "This provider is disabled" } });
  }
});
