/** The response cache while files and the roles of users change, on servers of different configurations. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { createRandom } from "../../../scripts/chaos/random.ts";
import { at, registration, textAt } from "../../support/auth-app.ts";
import { bothDatabases, type DatabaseKind } from "../../support/database.ts";
import { type ExampleApp, exampleApp } from "../../support/example-app.ts";
import { form, type Part } from "../../support/media-app.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";
import { graphqlQuestion, someVariables, withoutOrder } from "./graphql-questions.ts";
import { openings } from "./openings.ts";
import { World } from "./world.ts";

/** `CACHE_STEPS` and `CACHE_SEED` ask for more, and for others. */
const STEPS = Number(process.env["CACHE_STEPS"] ?? 12);
const SEED = Number(process.env["CACHE_SEED"] ?? 12);
const random = createRandom(SEED);

const auth = { jwt: { mode: "legacy" as const } };
const CONFIGURATIONS: readonly ConfigInput[] = [
  { auth, locales: { default: "en", codes: ["en", "de"] } },
  {
    auth,
    locales: { default: "de", codes: ["de", "en"] },
    rest: { defaultLimit: 2, maxLimit: 3, withCount: false, drafts: "find" },
    fields: { public: { "api::author.author": ["name"] } },
  },
];

/** A server with a response cache, and one of the same configuration without. */
interface Pair {
  readonly caching: ExampleApp;
  readonly plain: ExampleApp;
}

const start = async (kind: DatabaseKind) => {
  const open = await openings(kind, onTestFinished);
  const database = await open();
  await migrate(database, "generated/migrations");
  const pairs: Pair[] = [];
  for (const config of CONFIGURATIONS) {
    const serve = async (enabled: boolean) =>
      served(await exampleApp(onTestFinished, await open(), { ...config, cache: { enabled } }), onTestFinished);
    pairs.push({ caching: await serve(true), plain: await serve(false) });
  }
  const all = pairs.flatMap(({ caching, plain }) => [caching, plain]);
  return { database, pairs, all, plain: random.pick(all) };
};

const drawing = (name: string): Part => ({
  name,
  type: "image/svg+xml",
  content: `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${name} --></svg>`,
});

/** Uploads files, replaces, renames and deletes them, through any of the servers. */
const changeFiles = (all: readonly ExampleApp[], token: string) => {
  const ids: number[] = [];
  let number = 0;
  const name = (): string => `file${(number += 1)}.svg`;
  const send = async (query: string, ...parts: readonly Part[]): Promise<unknown> => {
    const request = { method: "POST", headers: { authorization: `Bearer ${token}` }, body: form(...parts) };
    const answer = await random.pick(all).app.request(`/api/upload${query}`, request);
    expect([200, 201, 404]).toContain(answer.status);
    return answer.json();
  };
  const info = (): Part => ({ field: "fileInfo", content: JSON.stringify({ name: name(), alternativeText: name() }) });
  const upload = async (): Promise<void> => {
    const body = await send("", drawing(name()), info());
    ids.push(Number(at(body, "0.id")));
  };
  const one = (): number => random.pick(ids);
  const changes: readonly (() => Promise<unknown>)[] = [
    upload,
    () => send(`?id=${one()}`, drawing(name())),
    () => send(`?id=${one()}`, info()),
    () => random.pick(all).send("DELETE", `/api/upload/files/${one()}`, { token }),
  ];
  return { upload, change: () => random.pick(changes)() };
};

interface User {
  readonly id: number;
  readonly jwt: string;
}

/** Moves users between roles that may read different things; resolves when all servers know. */
const moveUsers = async (all: readonly ExampleApp[], token: string, users: readonly User[]) => {
  const [app] = all;
  const permissions = { "api::article": { controllers: { article: { find: { enabled: true } } } } };
  const made = { name: "editors", description: "editors", permissions };
  await app?.send("POST", "/api/users-permissions/roles", { token, body: made });
  const { body } = (await app?.send("GET", "/api/users-permissions/roles", { token })) ?? {};
  const roles = Object(at(body, "roles")).flatMap(({ id, type }: { id: number; type: string }) =>
    type === "public" ? [] : [id],
  );
  expect(roles).toHaveLength(2);
  return async (): Promise<void> => {
    const role = random.pick<number>(roles);
    const { id, jwt } = random.pick(users);
    const { status } = await random.pick(all).send("PUT", `/api/users/${id}`, { token, body: { role } });
    expect(status).toBe(200);
    for (const { services } of all) {
      const roleOf = async () => (await services.auth.authenticate(`Bearer ${jwt}`)).roleId;
      await vi.waitUntil(async () => (await roleOf()) === role, SOON);
    }
  };
};

const FILES = [
  "/articles?populate[cover]=true&populate[gallery]=true",
  "/articles?status=draft&populate[sections][populate]=*&populate[seo][populate]=image",
  "/articles?filters[cover][alternativeText][$contains]=file&sort=cover.name,id&populate=cover",
  "/authors?populate[portrait][fields]=name,url&populate[articles][populate]=cover",
  "/global?populate=logo",
];

interface Question {
  readonly what: string;
  /** Says which servers are asked. */
  readonly number: number;
  ask(app: ExampleApp, token: string | undefined): Promise<unknown>;
}

const questionOf = (world: World): Question => {
  const number = random.below(1000);
  if (random.chance(0.4)) {
    const question = { ...graphqlQuestion(random, (type) => world.idOf(type)), variables: someVariables(random) };
    return {
      what: question.query,
      number,
      async ask(app, token) {
        const { status, text } = await app.send("POST", "/graphql", { body: question, ...(token ? { token } : {}) });
        return [status, withoutOrder(text)];
      },
    };
  }
  const what = random.chance(0.6) ? random.pick(FILES) : world.question();
  return {
    what,
    number,
    async ask(app, token) {
      const { status, headers, text } = await app.send("GET", `/api${what}`, token ? { token } : {});
      return [status, headers.get("etag"), text];
    },
  };
};

/** Whether anything was stored. A slow machine takes longer to ask twice than answers and callers are remembered. */
const demandHit = (caching: ExampleApp): Promise<boolean> =>
  vi.waitUntil(async () => {
    await caching.send("GET", "/api/articles");
    return (caching.services.responseCache?.hits ?? 0) > 0;
  }, SOON);

test.each(bothDatabases)(
  "servers of any configuration show files and what a role may see as those without a cache, on %s",
  async (kind) => {
    const { database, pairs, all, plain } = await start(kind);
    const [token, reading] = [await plain.token(), await plain.token("api::article.article.find")];
    const register = async (name: string): Promise<User> => {
      const { body } = await plain.send("POST", "/api/auth/local/register", { body: registration(name) });
      return { id: Number(at(body, "user.id")), jwt: textAt(body, "jwt") };
    };
    const users = [await register("ann"), await register("bob")];
    const callers = [undefined, token, reading, ...users.map(({ jwt }) => jwt)];
    const files = changeFiles(all, token);
    // The numbers of the files that the world uses.
    for (let count = 0; count < 2; count += 1) await files.upload();
    const move = await moveUsers(all, token, users);
    const world = new World({ all, plain, database }, random, { token, user: token });
    await plain.allowUsers("api::author.author.find", "api::article.article.find", "api::tag.tag.find");
    await world.allow(["api::article.article.find", "api::author.author.find", "api::global.global.find"]);
    for (let step = 0; step < 15; step += 1) await world.act();
    const asked = Array.from({ length: 3 }, () => questionOf(world));
    for (let step = 0; step < STEPS; step += 1) {
      await random.pick([() => world.act(), () => world.act(), () => files.change(), () => files.change(), move])();
      if (random.chance(0.3)) asked[random.below(3)] = questionOf(world);
      for (const { what, ask, number } of asked) {
        const { caching, plain: twin } = pairs[number % pairs.length] ?? random.pick(pairs);
        for (const caller of [...callers, ...callers, ...callers]) {
          const told = await ask(twin, caller);
          expect(await ask(caching, caller), `step ${step}: ${what}`).toEqual(told);
        }
      }
    }
    // Whoever commits on the server of PostgreSQL makes what is stored there out of date.
    if (kind === "pglite") for (const { caching } of pairs) await demandHit(caching);
  },
  3_600_000,
);
