/** Webhooks from outside: what a receiver gets of the writes of a server, also when that is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { cms, cmsOutput, startCms } from "../support/cms.ts";
import { bothDatabases, freshPostgresUrl } from "../support/database.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { SOON } from "../support/soon.ts";
import { isThorough } from "../support/thorough.ts";
import { openReceiver } from "../support/webhook-receiver.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const note = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  options: { draftAndPublish: true },
  attributes: { value: { type: "integer" }, secret: { type: "string", private: true } },
};

const configOf = (events: object): string => `export default { events: ${JSON.stringify(events)} };\n`;

const start = async (root: string, env: Readonly<Record<string, string>>) => {
  const port = await freePort();
  const { child } = startCms(root, ["start", "--port", String(port)], env);
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/_health`)).status).toBe(204), SOON);
  return { url, child };
};

const project = async (kind: (typeof bothDatabases)[number], events: object) => {
  const root = workspace();
  writeFiles(root, [
    ["content-types/note/schema.json", JSON.stringify(note)],
    [
      "cms.config.ts",
      configOf({ allowAddresses: ["127.0.0.1"], retrySeconds: [0.1, 0.1, 0.1], timeoutSeconds: 1, ...events }),
    ],
  ]);
  const database =
    kind === "postgres" ? { DATABASE_URL: await freshPostgresUrl(onTestFinished) } : { DATABASE_EMBEDDED: "true" };
  const env = {
    ...database,
    JWT_SECRET: "a secret for tests only, long enough",
    NODE_ENV: "production",
    API_TOKEN_SALT: "a salt for these tests only",
  };
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"], env);
  const token = await cmsOutput(root, ["token", "create", "--name", "test", "--type", "full-access"], env);
  return { root, env, token };
};

interface Client {
  readonly url: string;
  readonly token: string;
}

const call = async ({ url, token }: Client, method: string, path: string, data?: object) => {
  const response = await fetch(`${url}/api/notes${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(data ? { body: JSON.stringify({ data }) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : (await response.json()).data;
};

const ROUNDS = isThorough ? 10 : 2;

test.each(bothDatabases)(
  "no event of an acknowledged write is lost in a kill on %s",
  { timeout: 240_000 },
  async (kind) => {
    const { received, url: hook } = await openReceiver({
      answer: (response, _number, { value }) =>
        response.writeHead(value % 5 === 0 && Math.random() < 0.5 ? 500 : 204).end(),
      atEnd: onTestFinished,
    });
    const { root, env, token } = await project(kind, { webhooks: [{ name: "site", url: hook }] });
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { url, child } = await start(root, env);
      const ended = once(child, "exit");
      const documents = await Promise.all(
        [1, 2, 3].map(() =>
          call({ url, token }, "POST", "?status=draft", { value: 0 }).then(({ documentId }) => documentId),
        ),
      );
      const storm = async (documentId: string): Promise<void> => {
        for (let value = 1; ; value += 1) {
          const status = await call({ url, token }, "PUT", `/${documentId}?status=draft`, { value }).then(
            () => true,
            () => false,
          );
          if (!status) return;
          acknowledged.add(`${documentId} ${value}`);
        }
      };
      const storms = documents.map(storm);
      await vi.waitUntil(() => acknowledged.size > 30 * (round + 1), SOON);
      child.kill("SIGKILL");
      await Promise.all([...storms, ended]);
    }
    await start(root, env);
    const got = () => new Set(received.map(({ documentId, value }) => `${documentId} ${value}`));
    await vi.waitFor(() => expect([...acknowledged].filter((each) => !got().has(each))).toEqual([]), {
      timeout: 150_000,
      interval: 500,
    });
    const byId = new Map<string, string>();
    for (const { id, body } of received) {
      expect(byId.get(id) ?? body).toBe(body);
      byId.set(id, body);
    }
    const events = new Map([...byId.values()].map((body) => [body, JSON.parse(body)]));
    const values = [...events.values()].map(({ event, entry }) => `${event} ${entry.documentId} ${entry.value}`);
    expect(new Set(values).size).toBe(values.length);
  },
);

test("webhooks are managed by command while a server runs", { timeout: 240_000 }, async () => {
  const { received, url: hook } = await openReceiver({
    answer: (response, _number, { value }) => response.writeHead(value === 7 ? 410 : 204).end(),
    atEnd: onTestFinished,
  });
  const { root, env, token } = await project("pglite", { stream: {} });
  const { url, child } = await start(root, env);
  const webhook = (...args: readonly string[]): Promise<string> => cmsOutput(root, ["webhook", ...args], env);
  expect(await webhook("list")).toContain("There are no webhooks.");
  expect(await webhook("add", "site", hook, "--events", "entry.create")).toMatch(/whsec_[\w+/]{32}/);
  await webhook("test", "site");
  expect(received.map(({ event }) => event)).toEqual(["trigger-test"]);
  received.length = 0;
  await webhook("pause", "site");
  await call({ url, token }, "POST", "?status=draft", { value: 7 });
  expect(await webhook("list")).toContain("paused\t1 pending\t0 parked");
  expect(received).toEqual([]);
  await webhook("resume", "site");
  const parked = await vi.waitFor(async () => {
    const listed = await webhook("deliveries", "site", "--state", "parked");
    expect(listed).toContain("entry.create");
    return listed;
  }, SOON);
  expect(parked).toMatch(/^evt_\w+\tentry\.create\t\w+\tparked\t1\t410\t\d+ ms\tanswered 410/);
  const asked = await fetch(`${url}/api/events/deliveries?consumer=site`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await asked.json()).data).toMatchObject([{ event: "entry.create", state: "parked", status: 410 }]);
  expect((await fetch(`${url}/api/events/deliveries`)).status).toBe(403);
  await webhook("replay", "site");
  await vi.waitUntil(() => received.length === 2, SOON);
  expect(received[1]?.id).toBe(received[0]?.id);
  const again = await fetch(`${url}/api/events/deliveries/replay?consumer=site&event=${received[0]?.id}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await again.json()).toEqual({ data: { replayed: 1 } });
  await vi.waitUntil(() => received.length === 3, SOON);
  await webhook("remove", "site");
  expect(await webhook("list")).toContain("There are no webhooks.");
  const unknown = await cms(root, ["webhook", "pause", "sit"], env);
  expect([unknown.code, unknown.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('There is no webhook "sit"'),
  ]);
  expect(unknown.code).not.toBe(0);
  const purged: string[] = [];
  const cdn = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => purged.push(chunk.toString()));
    request.on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(cdn, "listening");
  onTestFinished(() => void cdn.close());
  const [follow, purge] = (await blocksOf("build/live-preview.md")).filter(({ language }) => language === "js");
  writeFiles(root, [
    ["follow.mjs", follow?.text ?? ""],
    ["purge.mjs", purge?.text ?? ""],
  ]);
  const { port: cdnPort } = cdn.address() as AddressInfo;
  const purging = spawn(process.execPath, [path.join(root, "purge.mjs")], {
    env: { CMS_URL: url, CMS_TOKEN: token, PURGE_URL: `http://127.0.0.1:${cdnPort}/purge` },
  });
  onTestFinished(() => void purging.kill("SIGKILL"));
  const created: string[] = [];
  await vi.waitUntil(async () => {
    created.push((await call({ url, token }, "POST", "", { value: 1 })).documentId);
    return created.some((documentId) => purged.includes(JSON.stringify({ tags: [documentId, "list-of-note"] })));
  }, SOON);
  const listening = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  const before = performance.now();
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(await listening.text()).toMatch(/^retry: \d+\n\n$/);
  // Streams that had to be cut off would have taken all of `server.shutdownSeconds`.
  expect([code, performance.now() - before < 10_000]).toEqual([0, true]);
});
