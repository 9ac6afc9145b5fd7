/** Answers of the response cache are those that would be read. */
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../scripts/chaos/random.ts";
import { registration, textAt } from "../../support/auth-app.ts";
import { bothDatabases, type DatabaseKind } from "../../support/database.ts";
import type { ExampleApp } from "../../support/example-app.ts";
import { graphqlQuestion, type Question, someVariables, withoutOrder } from "./graphql-questions.ts";
import { type Servers, startServers, World } from "./world.ts";

/** `CACHE_STEPS` and `CACHE_SEED` ask for more, and for others. */
const STEPS = Number(process.env["CACHE_STEPS"] ?? 15);
const SEED = Number(process.env["CACHE_SEED"] ?? 11);

const random = createRandom(SEED);

const begin = async (kind: DatabaseKind): Promise<{ servers: Servers; world: World }> => {
  const servers = await startServers(kind, onTestFinished);
  const { plain, database } = servers;
  await database.script(`
    insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
      select 'file' || n, 'f', 'h', 'image/png', 1, '/f', 'local', now(), now() from generate_series(1, 2) as n`);
  const token = await plain.token();
  const registered = await plain.send("POST", "/api/auth/local/register", { body: registration("reader") });
  const world = new World(servers, random, { token, user: textAt(registered.body, "jwt") });
  await plain.allowUsers("api::author.author.find", "api::article.article.find", "api::tag.tag.find");
  await world.allow(["api::article.article.find", "api::author.author.find", "api::tag.tag.find"]);
  return { servers, world };
};

const ask = async (app: ExampleApp, path: string, token: string | undefined) => {
  const headers = random.chance(0.2) ? { "strapi-response-format": "v4" } : {};
  const options = { headers, ...(token === undefined ? {} : { token }) };
  const { status, text, headers: received } = await app.send("GET", `/api${path}`, options);
  return { headers, token, answer: [status, received.get("etag"), text] };
};

/** Asks the same for several callers and values of variables: all servers, those with a cache three times. */
const askGraphql = async ({ caching, plain }: Servers, { users }: World, question: Question): Promise<void> => {
  for (const variables of [someVariables(random), someVariables(random)]) {
    const body = { ...question, variables };
    for (const { token } of [random.pick(users), random.pick(users)]) {
      const options = { body, ...(token ? { token } : {}) };
      const { status, text } = await plain.send("POST", "/graphql", options);
      for (const app of [...caching, ...caching, ...caching]) {
        const answer = await app.send("POST", "/graphql", options);
        expect([answer.status, withoutOrder(answer.text)], JSON.stringify(body)).toEqual([status, withoutOrder(text)]);
      }
    }
  }
};

test.each(bothDatabases)(
  "whatever is written, by whichever server or behind their backs, they answer as one without a cache, on %s",
  async (kind) => {
    const { servers, world } = await begin(kind);
    const { caching, plain } = servers;
    const tags = new Map<string, string[]>();
    const asked = Array.from({ length: 6 }, () => graphqlQuestion(random, (type) => world.idOf(type)));
    for (let step = 0; step < STEPS; step += 1) {
      await world.act();
      if (random.chance(0.5)) asked[random.below(6)] = graphqlQuestion(random, (type) => world.idOf(type));
      await askGraphql(servers, world, random.pick(asked));
      for (let turn = 0; turn < 4; turn += 1) {
        const path = world.question();
        const { token } = random.pick(world.users);
        const first = await ask(plain, path, token);
        const known = tags.get(path) ?? [];
        const [, tag] = first.answer;
        if (typeof tag === "string") tags.set(path, [...known, tag]);
        for (const app of [...caching, ...caching, ...caching]) {
          // Mostly what the client has is up to date; sometimes older, or of somebody else.
          const held = random.chance(0.75) && typeof tag === "string" ? tag : random.pick([...known, '"none"']);
          const condition = random.chance(0.5) ? { "if-none-match": held } : {};
          const options = { headers: { ...first.headers, ...condition }, ...(token ? { token } : {}) };
          const { status, text, headers } = await app.send("GET", `/api${path}`, options);
          const isHeld = "if-none-match" in condition && held === tag;
          expect([status, headers.get("etag"), text], `step ${step}: ${path} if not ${held}`).toEqual(
            isHeld ? [304, tag, ""] : first.answer,
          );
        }
      }
    }
    // Each question is asked three times of each server: without a cache that works there would be no hits. Whoever
    // commits on the server of PostgreSQL, such as other tests, makes what is stored there out of date.
    if (kind === "postgres") return;
    for (const { services } of caching) expect(services.responseCache?.hits).toBeGreaterThan(STEPS / 5);
  },
  3_600_000,
);

test("what is acknowledged is what is read from then on, while others read all the time", async () => {
  const { servers, world } = await begin("postgres");
  const { caching, plain } = servers;
  const token = await plain.token();
  const { body } = await plain.send("POST", "/api/tags", { token, body: { data: { name: "0", slug: "counted" } } });
  const documentId = textAt(body, "data.documentId");
  const path = `/api/tags?filters[slug]=counted`;
  await world.allow(["api::tag.tag.find"]);
  let acknowledged = 0;
  const over = new AbortController();
  const behind: string[] = [];
  const readers = [...caching, ...caching, ...caching].map(async (app) => {
    while (!over.signal.aborted) {
      const least = acknowledged;
      const answer = await app.send("GET", path);
      const shown = Number(textAt(answer.body, "data.0.name"));
      if (!(shown >= least)) behind.push(`${answer.text} after ${least}`);
    }
  });
  // Who is told that nothing has changed has the number of the last answer.
  const holders = [plain, ...caching, ...caching].map(async (app) => {
    let held = { tag: "", number: 0 };
    while (!over.signal.aborted) {
      const least = acknowledged;
      const {
        status,
        headers,
        body: shown,
        text,
      } = await app.send("GET", path, { headers: { "if-none-match": held.tag } });
      if (status === 200) held = { tag: headers.get("etag") ?? "", number: Number(textAt(shown, "data.0.name")) };
      if (!(held.number >= least)) behind.push(`${status} ${text} for ${held.number} after ${least}`);
    }
  });
  for (let number = 1; number <= 8; number += 1) {
    const app = caching[number % 2] ?? plain;
    const { status } = await app.send("PUT", `/api/tags/${documentId}`, {
      token,
      body: { data: { name: `${number}` } },
    });
    expect(status).toBe(200);
    acknowledged = number;
    for (const each of caching) await each.send("GET", path);
  }
  over.abort();
  await Promise.all([...readers, ...holders]);
  expect(behind).toEqual([]);
}, 120_000);
