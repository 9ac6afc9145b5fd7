import { expect, onTestFinished, test } from "vitest";
import {
  announceTokens,
  createApiToken,
  listApiTokens,
  type NewApiToken,
  revokeApiToken,
} from "../../../runtime/accounts/api-tokens.ts";
import { type AuthApp, authApp, usersDatabase } from "../../support/auth-app.ts";
import { bothDatabases, recording } from "../../support/database.ts";
import { leastGrowth } from "../../support/heap.ts";
import { secrets } from "../../support/services.ts";
import { usersApplication } from "../../support/users-application.ts";

const database = await usersDatabase();
const app = await authApp({ database });

let count = 0;
const create = (token: Partial<NewApiToken> = {}, on: AuthApp = app): Promise<string> => {
  count += 1;
  const name = `token ${count}`;
  const defaults: NewApiToken = { name, type: "full-access", permissions: [], expiresAt: null };
  return createApiToken(on.database, secrets.tokenSalt, { ...defaults, ...token });
};
const status = async (method: string, path: string, token: string, on: AuthApp = app): Promise<number> =>
  (await on.send(method, path, { token, ...(method === "GET" ? {} : { body: {} }) })).status;

test("a full-access token may do everything, but is no user", async () => {
  const token = await create();
  expect(await status("GET", "/api/articles", token)).toBe(200);
  expect(await status("POST", "/api/articles", token)).toBe(201);
  expect(await status("GET", "/api/users", token)).toBe(200);
  const me = await app.send("GET", "/api/users/me", { token });
  expect(me.body).toMatchObject({ error: { status: 401, message: "Unauthorized" } });
});

test("a read-only token may find, and nothing else", async () => {
  const token = await create({ type: "read-only" });
  expect(await status("GET", "/api/articles", token)).toBe(200);
  expect(await status("GET", "/api/articles/x", token)).toBe(200);
  expect(await status("POST", "/api/articles", token)).toBe(403);
  expect(await status("GET", "/api/users/me", token)).toBe(403);
  expect(await status("GET", "/api/users/count", token)).toBe(403);
  expect(await status("POST", "/api/auth/local", token)).toBe(403);
});

test("a custom token may do what it lists", async () => {
  const token = await create({ type: "custom", permissions: ["api::article.article.create"] });
  expect(await status("POST", "/api/articles", token)).toBe(201);
  expect(await status("GET", "/api/articles", token)).toBe(403);
});

test("an expired token is a 401 that says so, on public routes too", async () => {
  const token = await create({ expiresAt: new Date("2020-01-01T00:00:00Z") });
  const answer = await app.send("GET", "/api/articles", { token });
  expect(answer.body).toMatchObject({ error: { status: 401, message: "Token expired" } });
});

test("what is remembered of callers does not grow with what they pad their header with", async () => {
  const token = await create();
  const begin = async () => {
    const server = await authApp({ database });
    return async (number: number) => {
      const headers = { authorization: `Bearer${" ".repeat(14_000 + number)}${token}` };
      expect((await server.app.request("/api/articles?fields=id", { headers })).status).toBe(200);
    };
  };
  expect(await leastGrowth(600, begin, 4_500_000)).toBeLessThan(4_500_000);
});

test("only a keyed hash of the secret is stored", async () => {
  const token = await create();
  expect(token).toMatch(/^[0-9a-f]{256}$/);
  const stored = await database.rows("select hash::text from api_tokens");
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(stored.flat()).toContainEqual(expect.stringMatching(/^[0-9a-f]{128}$/));
});

test("a token whose secret is known is useless under another salt", async () => {
  const token = await create();
  const other = await authApp({ database });
  expect(await status("GET", "/api/articles", token, other)).toBe(200);
  const { createServices } = await import("../../../runtime/app/start.ts");
  const services = await createServices({
    ...other.services,
    application: usersApplication,
    secrets: { ...secrets, tokenSalt: "another salt" },
  });
  await expect(services.auth.authenticate(`Bearer ${token}`)).rejects.toThrow("Missing or invalid credentials");
});

test("the use of a token is noted, at most once an hour", async () => {
  const token = await create({ name: "noted" });
  const lastUsed = async () => (await listApiTokens(database)).find(({ name }) => name === "noted")?.lastUsedAt;
  expect(await lastUsed()).toBeNull();
  await status("GET", "/api/articles", token);
  await expect.poll(lastUsed).toBeInstanceOf(Date);
  await database.rows("update api_tokens set last_used_at = last_used_at - interval '59 minutes'");
  const before = await lastUsed();
  const fresh = await authApp({ database });
  await status("GET", "/api/articles", token, fresh);
  await status("GET", "/api/articles", token, fresh);
  expect(await lastUsed()).toEqual(before);
  await database.rows("update api_tokens set last_used_at = last_used_at - interval '2 minutes'");
  const later = await authApp({ database });
  await status("GET", "/api/articles", token, later);
  await expect.poll(lastUsed).not.toEqual(new Date((before?.getTime() ?? 0) - 120_000));
});

test.each(bothDatabases)("a revoked token is refused at once, by every process, on %s", async (kind) => {
  const shared = kind === "postgres" ? database : await usersDatabase(kind, onTestFinished);
  const one = await authApp({ database: shared });
  const other = await authApp({ database: shared });
  const token = await create({ name: "revoked" }, one);
  for (const process of [one, other]) expect(await status("GET", "/api/articles", token, process)).toBe(200);
  expect(await revokeApiToken(shared, "revoked")).toBe(true);
  await announceTokens(shared);
  for (const process of [one, other]) {
    await expect.poll(() => status("GET", "/api/articles", token, process)).toBe(401);
  }
  expect(await revokeApiToken(shared, "revoked")).toBe(false);
});

test("a token in use costs no statement", async () => {
  const recorded = recording(database);
  const counted = await authApp({ database: recorded.database });
  const token = await create();
  await status("GET", "/api/articles", token, counted);
  await expect.poll(() => recorded.statements.filter((sql) => sql.includes("last_used_at")).length).toBeGreaterThan(1);
  recorded.statements.length = 0;
  await status("GET", "/api/articles", token, counted);
  expect(recorded.statements).toEqual([]);
});
