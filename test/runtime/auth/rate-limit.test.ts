import { expect, test } from "vitest";
import { type AuthApp, authApp, registration, usersDatabase } from "../../support/auth-app.ts";
import { bothDatabases } from "../../support/database.ts";

// What one process counts is asked here.
const database = await usersDatabase("pglite");
const limited = (config: object = {}): Promise<AuthApp> =>
  authApp({ database, config: { auth: { rateLimit: { max: 3, intervalSeconds: 3600 } }, ...config } });

interface Try {
  readonly path?: string;
  readonly body?: object;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const logIn = (app: AuthApp, { path = "/api/auth/local", body = {}, ...more }: Try = {}) =>
  app.send("POST", path, { body: { identifier: "nobody", password: "wrong one", ...body }, ...more });

const exhaust = async (app: AuthApp, attempt: Try = {}): Promise<void> => {
  for (let count = 0; count < 3; count += 1) expect((await logIn(app, attempt)).status).toBe(400);
};

test.each(bothDatabases)("attempts over the limit are a 429, told in the headers, on %s", async (kind) => {
  const app = await authApp({
    database: kind === "pglite" ? database : await usersDatabase(kind),
    config: { auth: { rateLimit: { max: 3, intervalSeconds: 3600 } } },
  });
  for (const remaining of ["2", "1", "0"]) {
    const { status, headers } = await logIn(app);
    expect(status).toBe(400);
    expect(headers.get("x-ratelimit-limit")).toBe("3");
    expect(headers.get("x-ratelimit-remaining")).toBe(remaining);
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1);
  }
  const refused = await logIn(app);
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({
    data: null,
    error: {
      status: 429,
      name: "RateLimitError",
      message: "Too many requests, please try again later.",
      details: {},
    },
  });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
});

test("processes that share a PostgreSQL count together", async () => {
  const shared = await usersDatabase("postgres");
  const config = { auth: { rateLimit: { max: 3, intervalSeconds: 3600 } } };
  const [one, other] = [await authApp({ database: shared, config }), await authApp({ database: shared, config })];
  await exhaust(one);
  expect((await logIn(other)).status).toBe(429);
});

test.each([
  ["in another case", "/API/auth/LOCAL"],
  ["with a slash at the end", "/api/auth/local/"],
  ["with a query", "/api/auth/local?x=1"],
  ["percent-encoded", "/api/auth/%6cocal"],
])("the path %s does not count anew", async (_name, path) => {
  const app = await limited();
  await exhaust(app);
  expect((await logIn(app, { path })).status).toBe(429);
});

test("an address in the body does not make attempts on a password count anew", async () => {
  const app = await limited();
  await exhaust(app);
  expect((await logIn(app, { body: { email: "another@example.test", identifier: "other" } })).status).toBe(429);
});

test("forgotten passwords count per address in the body, whatever its case, and in all per client", async () => {
  const app = await limited();
  const forget = async (email: string) =>
    (await app.send("POST", "/api/auth/forgot-password", { body: { email } })).status;
  for (const email of ["a@example.test", "A@example.test", "a@EXAMPLE.test"]) expect(await forget(email)).toBe(200);
  expect(await forget("a@example.test")).toBe(429);
  expect(await forget("b@example.test")).toBe(200);
  const others = await Promise.all(Array.from({ length: 40 }, (_, index) => forget(`c${index}@example.test`)));
  expect(others).toContain(429);
});

test("clients count apart", async () => {
  const app = await limited();
  await exhaust(app, { address: "192.0.2.1" });
  expect((await logIn(app, { address: "192.0.2.2" })).status).toBe(400);
});

test("addresses that one client can choose from count together", async () => {
  const app = await limited();
  const attempt = async (address: string): Promise<number> =>
    (await app.send("POST", "/api/auth/local", { body: { identifier: "x", password: "y" }, address })).status;
  for (const address of ["2001:db8:0:7::1", "2001:db8::7:1:2:3:4", "2001:DB8:0:7:ffff::"]) {
    expect(await attempt(address)).toBe(400);
  }
  expect(await attempt("2001:0db8:0000:0007::99")).toBe(429);
  expect(await attempt("2001:db8:0:8::1")).toBe(400);
  expect(await attempt("::1")).toBe(400);
});

test("a forwarded address is not believed unless it comes from a trusted proxy", async () => {
  const app = await limited();
  await exhaust(app);
  expect((await logIn(app, { headers: { "x-forwarded-for": "198.51.100.7" } })).status).toBe(429);
});

const through = (forwarded: string) => ({ address: "10.0.0.1", headers: { "x-forwarded-for": forwarded } });

test("behind a trusted proxy the last address that it does not vouch for counts, not what the client wrote", async () => {
  const app = await limited({ server: { trustedProxies: ["10.0.0.0/8"] } });
  await exhaust(app, through("198.51.100.7"));
  expect((await logIn(app, through("203.0.113.9, 198.51.100.7, 10.1.2.3"))).status).toBe(429);
  expect((await logIn(app, through("198.51.100.8"))).status).toBe(400);
});

test("limits can be turned off", async () => {
  const app = await authApp({ database });
  for (let count = 0; count < 15; count += 1) {
    const { status, headers } = await logIn(app);
    expect(status).toBe(400);
    expect(headers.get("x-ratelimit-limit")).toBeNull();
  }
});

test.each([
  ["/api/auth/local/register", registration("limited")],
  ["/api/auth/reset-password", {}],
  ["/api/auth/send-email-confirmation", { email: "limited@example.test" }],
  ["/api/connect/google", undefined],
])("%s is limited", async (path, body) => {
  const app = await limited();
  const method = body ? "POST" : "GET";
  const send = () => app.send(method, path, body ? { body } : {});
  for (let count = 0; count < 3; count += 1) expect((await send()).status).not.toBe(429);
  expect((await send()).status).toBe(429);
});

test("a range of proxies that is none is refused when the server starts", async () => {
  await expect(limited({ server: { trustedProxies: ["proxy.example"] } })).rejects.toThrow(
    'server.trustedProxies: "proxy.example" is neither an address nor a range such as 10.0.0.0/8',
  );
});
