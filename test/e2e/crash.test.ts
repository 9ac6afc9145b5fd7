/** The server is killed in the middle of a storm of publishing writes; nothing that it acknowledged may be lost. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { cmsOutput, startCms } from "../support/cms.ts";
import { bothDatabases, freshPostgresUrl } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { SOON } from "../support/soon.ts";
import { isThorough } from "../support/thorough.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

/** How often it is killed; `npm run chaos` does it for as long as one likes. */
const ROUNDS = isThorough ? 5 : 1;
const WRITERS = 6;

const schema = {
  kind: "collectionType",
  info: { singularName: "counter", pluralName: "counters", displayName: "Counter" },
  options: { draftAndPublish: true },
  attributes: {
    value: { type: "integer", required: true },
    text: { type: "text" },
    neighbours: { type: "relation", relation: "manyToMany", target: "api::counter.counter" },
  },
};

interface Counter {
  readonly documentId: string;
  /** The last value that the server said it had stored. */
  acknowledged: number;
}

interface Client {
  readonly url: string;
  readonly token: string;
}

const call = async ({ url, token }: Client, method: string, path: string, data?: object): Promise<unknown> => {
  const response = await fetch(`${url}/api/counters${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(data ? { body: JSON.stringify({ data }) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const dataOf = (answer: unknown): Record<string, unknown> =>
  typeof answer === "object" && answer !== null && "data" in answer && typeof answer.data === "object"
    ? { ...answer.data }
    : {};

/** Starts the server and waits until it answers. */
const start = async (root: string, env: Readonly<Record<string, string>>) => {
  const port = await freePort();
  const { child } = startCms(root, ["start", "--port", String(port)], env);
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/_health`)).status).toBe(204), SOON);
  return { url, child };
};

/** Writes one document again and again until the server is gone. */
const storm = async (client: Client, counter: Counter, others: readonly Counter[]): Promise<void> => {
  for (let value = counter.acknowledged + 1; ; value += 1) {
    try {
      const neighbours = others.map(({ documentId }) => documentId).slice(0, value % 3);
      await call(client, "PUT", `/${counter.documentId}`, { value, text: "x".repeat(2000), neighbours });
      counter.acknowledged = value;
    } catch {
      return;
    }
  }
};

/** What is stored is the last acknowledged write, or the one that was on its way; draft and published are one. */
const verify = async (client: Client, { documentId, acknowledged }: Counter): Promise<number> => {
  const query = "?fields[0]=value&populate[neighbours][fields][0]=documentId";
  const published = dataOf(await call(client, "GET", `/${documentId}${query}`));
  const draft = dataOf(await call(client, "GET", `/${documentId}${query}&status=draft`));
  const value = Number(published["value"]);
  expect(draft["value"]).toBe(value);
  expect([acknowledged, acknowledged + 1]).toContain(value);
  expect(published["neighbours"]).toHaveLength(value % 3);
  expect(draft["neighbours"]).toHaveLength(value % 3);
  return value;
};

test.each(bothDatabases)("no acknowledged write is lost when the server is killed, on %s", async (kind) => {
  const root = workspace();
  const env = {
    NODE_ENV: "production",
    JWT_SECRET: "a secret for this test only, long enough",
    API_TOKEN_SALT: "a salt for this test only",
    ...(kind === "postgres" ? { DATABASE_URL: await freshPostgresUrl(onTestFinished) } : { DATABASE_EMBEDDED: "true" }),
  };
  writeFiles(root, [["content-types/counter/schema.json", JSON.stringify(schema)]]);
  await cmsOutput(root, ["generate"], env);
  await cmsOutput(root, ["migrate"], env);
  const token = await cmsOutput(root, ["token", "create", "--name", "storm", "--type", "full-access"], env);

  const counters: Counter[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { url, child } = await start(root, env);
    const client = { url, token };
    while (counters.length < WRITERS) {
      const created = dataOf(await call(client, "POST", "", { value: 0 }));
      counters.push({ documentId: String(created["documentId"]), acknowledged: 0 });
    }
    for (const counter of counters) counter.acknowledged = await verify(client, counter);
    if (round === ROUNDS) return;
    const acknowledged = () => counters.reduce((sum, counter) => sum + counter.acknowledged, 0);
    const before = acknowledged();
    const storms = counters.map((counter) =>
      storm(
        client,
        counter,
        counters.filter((each) => each !== counter),
      ),
    );
    // At any moment, but not before it has written.
    await vi.waitFor(() => expect(acknowledged()).toBeGreaterThan(before), SOON);
    await sleep(Math.random() * 700);
    child.kill("SIGKILL");
    await once(child, "close");
    await Promise.all(storms);
  }
});
