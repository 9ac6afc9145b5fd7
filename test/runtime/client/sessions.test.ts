/** Logging in with the generated client, and what becomes of its tokens. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  memoryStore,
  RequestError,
  type Send,
  type Session,
  type SessionStore,
} from "../../../runtime/client/index.ts";
import { registration } from "../../support/auth-app.ts";
import { deferred } from "../../support/deferred.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../../support/example-app.ts";
import { clientOf } from "./server.ts";

const cleanups: (() => Promise<void>)[] = [];
const cleanup = (work: () => Promise<void>) => void cleanups.unshift(work);
let app: ExampleApp;

beforeAll(async () => {
  app = await exampleApp(cleanup, await exampleDatabase(cleanup));
  await app.allowUsers("api::tag.tag.find");
});
afterAll(async () => {
  for (const work of cleanups) await work();
});

const statusOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "answered",
    (error: unknown) => (error instanceof RequestError ? error.status : error),
  );

/** A client of somebody who has registered. */
const registered = async (name: string, options: Parameters<typeof clientOf>[1] = {}) => {
  const store = memoryStore();
  const { cms, sent } = clientOf(app, { session: store, ...options });
  await cms.auth.register(registration(name));
  const session = await store.get();
  if (!session) throw new Error("nobody is logged in");
  sent.length = 0;
  return { cms, sent, store, session };
};

const away: Send = async (url, init) => {
  if (url.endsWith("/auth/refresh")) throw new TypeError("fetch failed");
  return app.app.request(url, init);
};

/** The access token is refused from now on, as one that has expired is. */
const spoil = (store: SessionStore, { refreshToken = "" }: Session) => store.set({ jwt: "expired", refreshToken });

test("who logs in asks as a user until they log out", async () => {
  const { cms, sent, store } = await registered("ada");
  expect(await cms.tags.find()).toMatchObject({ data: [] });
  expect(await cms.users.me({ fields: ["username"] })).toMatchObject({ username: "ada" });
  const [own, ...others] = await cms.auth.sessions();
  expect([own?.current, others]).toEqual([true, []]);
  await cms.auth.logout();
  expect(await store.get()).toBeUndefined();
  expect(await statusOf(cms.users.me())).toBe(403);
  await cms.auth.logout();

  const { password } = registration("ada");
  expect(await statusOf(cms.auth.login({ identifier: "ada", password: "wrong" }))).toBe(400);
  const { user } = await cms.auth.login({ identifier: "ada", password });
  expect(user).toMatchObject({ username: "ada", email: "ada@example.test" });
  const changed = { currentPassword: password, password: "An0ther!", passwordConfirmation: "An0ther!" };
  await cms.auth.changePassword(changed);
  expect(await cms.users.me()).toMatchObject({ username: "ada" });
  const [session] = await cms.auth.sessions();
  await cms.auth.endSession(session?.id ?? "");
  expect(await statusOf(cms.users.me())).toBe(401);
  expect(await store.get()).toBeUndefined();
  expect(sent.filter(({ url }) => url.includes("eyJ"))).toEqual([]);
});

test("a mailed code sets a password and logs in", async () => {
  const { cms, store } = await registered("grace");
  await cms.auth.logout();
  const mail = app.nextMail();
  await cms.auth.forgotPassword({ email: "grace@example.test" });
  const code = /code=(\w+)/.exec((await mail).text)?.[1] ?? "";
  const { user } = await cms.auth.resetPassword({ code, password: "An0ther!", passwordConfirmation: "An0ther!" });
  expect(user.username).toBe("grace");
  expect(await store.get()).toBeDefined();
});

test("of many requests that are refused at once one renews the tokens, and all are answered", async () => {
  const { cms, sent, store, session } = await registered("joan");
  await spoil(store, session);
  const answers = await Promise.all(Array.from({ length: 20 }, () => cms.tags.find()));
  expect(answers).toHaveLength(20);
  expect(sent.filter(({ url }) => url.endsWith("/auth/refresh"))).toMatchObject([
    { method: "POST", authorization: null },
  ]);
  expect(await store.get()).not.toMatchObject({ refreshToken: session.refreshToken });
  expect(sent.map(({ url }) => url).join("\n")).not.toMatch(/eyJ|expired/);
});

test("a request that is refused after the tokens were renewed takes the new ones", async () => {
  const late = deferred();
  const holding: Send = async (url, init) => {
    const answer = await app.app.request(url, init);
    if (url.includes("late") && answer.status === 401) await late.promise;
    if (url.endsWith("/auth/refresh")) renewals++;
    return answer;
  };
  let renewals = 0;
  const { cms, store, session } = await registered("lise", { fetch: holding });
  await spoil(store, session);
  const slow = cms.tags.find({ _q: "late" });
  await cms.tags.find();
  late.resolve();
  expect(await slow).toMatchObject({ data: [] });
  expect(renewals).toBe(1);
});

test("a session that cannot be renewed has ended, and is asked for once", async () => {
  const { cms, sent, store } = await registered("mary");
  await store.set({ jwt: "expired", refreshToken: "expired" });
  expect(await Promise.all([statusOf(cms.tags.find()), statusOf(cms.users.me())])).toEqual([401, 401]);
  expect(await store.get()).toBeUndefined();
  expect(sent.filter(({ url }) => url.endsWith("/auth/refresh"))).toHaveLength(1);
  expect(await cms.auth.refresh()).toBe(false);
});

test("a session outlives a server that is away", async () => {
  const { cms, store, session } = await registered("emmy", { fetch: away });
  await spoil(store, session);
  expect(await statusOf(cms.tags.find())).toBe(0);
  expect(await store.get()).toMatchObject({ refreshToken: session.refreshToken });
});

test("who logs out or in while tokens are renewed is not overruled", async () => {
  const asked = deferred();
  const go = deferred();
  const slow: Send = async (url, init) => {
    if (!url.endsWith("/auth/refresh")) return app.app.request(url, init);
    asked.resolve();
    await go.promise;
    return app.app.request(url, init);
  };
  const { cms, store, session } = await registered("hedy", { fetch: slow });
  await spoil(store, session);
  const refused = statusOf(cms.tags.find());
  await asked.promise;
  await store.set(undefined);
  go.resolve();
  expect(await refused).toBe(401);
  expect(await store.get()).toBeUndefined();

  await spoil(store, session);
  const other = cms.tags.find();
  await cms.auth.register(registration("hedys-sister"));
  const latest = await store.get();
  expect(await other).toMatchObject({ data: [] });
  expect(await store.get()).toEqual(latest);
});

test("an API token is carried until somebody logs in, and never to a login", async () => {
  let asked = 0;
  const token = await app.token("api::author.author.find");
  const { cms, sent } = clientOf(app, {
    token: async () => {
      asked++;
      return token;
    },
  });
  await cms.authors.find();
  await cms.auth.register(registration("ida"));
  expect(await statusOf(cms.authors.find())).toBe(403);
  expect(sent.map(({ authorization }) => authorization?.slice(0, 10) ?? null)).toEqual([
    `Bearer ${token.slice(0, 3)}`,
    null,
    "Bearer eyJ",
  ]);
  expect(asked).toBe(1);
});

test("with cookies scripts never have a refresh token, and a new page goes on with the cookie alone", async () => {
  const cookies = await exampleApp(cleanup, app.database, { auth: { sessions: { httpOnly: true } } });
  let jar = "";
  const browser: Send = async (url, init) => {
    const headers = new Headers(init.headers);
    if (init.credentials === "include") headers.set("cookie", jar);
    const answer = await cookies.app.request(url, { ...init, headers });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined && init.credentials === "include") jar = cookie.slice(0, cookie.indexOf(";"));
    return answer;
  };
  const store = memoryStore();
  const { cms } = clientOf(cookies, { session: store, cookies: true, fetch: browser });
  await cms.auth.register(registration("rosa"));
  expect(Object.keys((await store.get()) ?? {})).toEqual(["jwt"]);

  const { cms: next } = clientOf(cookies, { cookies: true, fetch: browser });
  expect(await next.auth.refresh()).toBe(true);
  expect(await next.users.me()).toMatchObject({ username: "rosa" });
  await next.auth.logout();
  expect(await next.auth.refresh()).toBe(false);
});
