/** `bootstrap` and `destroy` of `content-types/app.ts`. */
import { expect, test, vi } from "vitest";
import { startServer } from "../../runtime/app/start.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { configSchema } from "../../runtime/config/config.ts";
import type { App } from "../../runtime/graphql/extension/app.ts";
import { applicationOf, emptyDatabase, freePort, secrets } from "../support/services.ts";
import { SOON } from "../support/soon.ts";

const start = async (app: App, port: number) => {
  const config = configSchema.parse({ server: { port, host: "127.0.0.1" } });
  const log = createLogger({ ...config.logger, level: "silent" });
  return startServer({ config, database: emptyDatabase(), application: applicationOf({ app }), secrets, log });
};

const isServed = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/_health`).then(
    ({ status }) => status === 204,
    () => false,
  );

test("bootstrap runs before a server answers, and destroy when it answers no more", async () => {
  const port = await freePort();
  const events: unknown[] = [];
  const appOf = (name: string): App => ({
    async bootstrap({ services }) {
      events.push([`${name} begins`, await isServed(port), services.config.server.port === port]);
    },
    async destroy({ services }) {
      events.push([`${name} ends`, await isServed(port), [...(await services.db.execute("select 1 as one"))]]);
    },
  });
  const server = await start(appOf("first"), port);
  expect(await isServed(port)).toBe(true);
  await server.replace({ application: applicationOf({ app: appOf("second") }), config: server.services.config });
  await vi.waitUntil(() => events.length === 3, SOON);
  await server.close();
  expect(events).toEqual([
    ["first begins", false, true],
    ["second begins", true, true],
    ["first ends", true, []],
    ["second ends", false, []],
  ]);
});

test("a server whose bootstrap fails does not start, and one that is replaced by such goes on", async () => {
  const port = await freePort();
  const failing: App = {
    bootstrap() {
      throw new Error("no key");
    },
  };
  await expect(start(failing, port)).rejects.toThrow("bootstrap of app.ts failed: Error: no key\n    at ");
  const strange = {
    bootstrap() {
      throw Object.create(null);
    },
  };
  await expect(start(strange, port)).rejects.toThrow("bootstrap of app.ts failed: [Object: null prototype] {}");
  expect(await isServed(port)).toBe(false);
  const server = await start({}, port);
  const next = { application: applicationOf({ app: failing }), config: server.services.config };
  await expect(server.replace(next)).rejects.toThrow("no key");
  expect(await isServed(port)).toBe(true);
  await server.close();
});

test("a server whose GraphQL schema names what is not there does not start, and says what was meant", async () => {
  const port = await freePort();
  const bootstrap = vi.fn();
  const wrong: App = {
    bootstrap,
    register: ({ graphql }) =>
      void graphql.use({
        typeDefs: "extend type Query { wordCount: Int }",
        resolversConfig: { "Query.wordCoun": { auth: false } },
      }),
  };
  const message = 'there is no field for resolversConfig "Query.wordCoun". Did you mean "Query.wordCount"?';
  await expect(start(wrong, port)).rejects.toThrow(message);
  expect(bootstrap).not.toHaveBeenCalled();
  expect(await isServed(port)).toBe(false);
  const unknown: App = { register: ({ graphql }) => void graphql.shadowCRUD("api::artcle.article" as never) };
  await expect(start(unknown, port)).rejects.toThrow('there is no content type "api::artcle.article"');
  const server = await start({}, port);
  const next = { application: applicationOf({ app: wrong }), config: server.services.config };
  await expect(server.replace(next)).rejects.toThrow(message);
  expect(await isServed(port)).toBe(true);
  await server.close();
});

test("what fails in destroy keeps nothing from ending, and a port that is taken ends what was begun", async () => {
  const port = await freePort();
  const ended: string[] = [];
  const server = await start(
    {
      destroy() {
        throw new Error("late");
      },
    },
    port,
  );
  await expect(start({ destroy: () => void ended.push("second") }, port)).rejects.toThrow(`Port ${port} is in use`);
  expect(ended).toEqual(["second"]);
  await server.close();
  expect(await isServed(port)).toBe(false);
});
