/** Whoever may no longer ask gets no stored answer, although nothing was committed to what the answer shows. */
import { expect, onTestFinished, test, vi } from "vitest";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { at, registration, textAt } from "../../support/auth-app.ts";
import { freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";

const DAY = 86_400_000;

const start = async () => {
  const database = await freshDatabase("pglite", onTestFinished);
  await migrate(database, "generated/migrations");
  const config = { auth: { jwt: { mode: "legacy" as const, expiresIn: "2d" } } };
  const app = await served(await exampleApp(onTestFinished, database, config), onTestFinished);
  await app.allowUsers("api::tag.tag.find");
  const { body } = await app.send("POST", "/api/auth/local/register", { body: registration("ann") });
  const [jwt, id] = [textAt(body, "jwt"), at(body, "user.id")];
  const ask = async (token: string, path = "/api/tags"): Promise<number> =>
    (await app.send("GET", path, { token })).status;
  const hits = (): number => app.services.responseCache?.hits ?? 0;
  /** Asks until the answer comes from the cache. */
  const store = async (token: string): Promise<void> => {
    const before = hits();
    await vi.waitUntil(async () => (await ask(token)) === 200 && hits() > before, SOON);
  };
  return { ...app, jwt, id, ask, store };
};

test("a token that has expired gets no stored answer", async () => {
  const { jwt, ask, store } = await start();
  await store(jwt);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY });
  onTestFinished(() => void vi.useRealTimers());
  expect(await ask(jwt)).toBe(200);
  vi.setSystemTime(Date.now() + 2 * DAY);
  expect(await ask(jwt)).toBe(401);
});

test("a blocked user, a user of a role with fewer permissions, and a changed credential get none", async () => {
  const { jwt, id, ask, store, token, send, allowUsers } = await start();
  const full = await token();
  await store(jwt);
  expect(await ask(`${jwt.slice(0, -2)}xx`)).toBe(401);
  await allowUsers("-api::tag.tag.find");
  expect(await ask(jwt)).toBe(403);
  await allowUsers("api::tag.tag.find");
  await store(jwt);
  const blocked = await send("PUT", `/api/users/${String(id)}`, { token: full, body: { blocked: true } });
  expect([blocked.status, await ask(jwt)]).toEqual([200, 401]);
});
