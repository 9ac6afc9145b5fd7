/**
 * What a request costs, by what does not depend on the machine: statements, bytes to and from PostgreSQL, and bytes that
 * Node allocates. Where one is beyond its bound something has become dearer; where it is far below, lower the bound.
 */
import { subscribe } from "node:diagnostics_channel";
import { Session } from "node:inspector/promises";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isRecord } from "../../runtime/base/is-record.ts";
import { textAt } from "../support/auth-app.ts";
import { recording } from "../support/database.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";
import { served } from "../support/served-app.ts";

interface Cost {
  readonly statements: number;
  readonly wire: number;
  readonly allocated: number;
}

const REQUESTS = ["one", "list", "graphql", "cachedOne", "cachedList", "create", "update"] as const;
type Request = (typeof REQUESTS)[number];

/**
 * Statements are exact, bytes on the wire a quarter above what was measured. What is allocated depends on how far code has
 * been optimized by then: half as much again. The requests themselves, as the test makes them, are included.
 */
const BOUNDS: Readonly<Record<Request, Cost>> = {
  one: { statements: 1, wire: 340, allocated: 100_000 },
  list: { statements: 4, wire: 11_500, allocated: 480_000 },
  graphql: { statements: 2, wire: 1120, allocated: 200_000 },
  cachedOne: { statements: 0, wire: 175, allocated: 130_000 },
  cachedList: { statements: 0, wire: 175, allocated: 225_000 },
  create: { statements: 4, wire: 1760, allocated: 360_000 },
  update: { statements: 5, wire: 2280, allocated: 350_000 },
};

/** What of a request is dearer than it may be. */
const beyondBounds = (name: Request, cost: Cost): readonly string[] =>
  (["statements", "wire", "allocated"] as const)
    .filter((what) => cost[what] > BOUNDS[name][what])
    .map((what) => `${name}: ${what} ${cost[what]}, at most ${BOUNDS[name][what]}`);

const ROUNDS = 30;
/** Requests before they are counted: by then statements are prepared, and code is compiled. */
const WARM = 30;
/**
 * Each is the least of at most so many times: whatever else the process does meanwhile counts too, and connections that
 * are opened.
 */
const TIMES = 3;

const isSocket = (socket: unknown): socket is Socket => isRecord(socket) && typeof socket["bytesWritten"] === "number";

/** Bytes on all connections that are opened from now on, but for those to a port. */
const countBytes = (): ((but?: number) => number) => {
  const sockets: Socket[] = [];
  subscribe("net.client.socket", (message) => {
    if (isRecord(message) && isSocket(message["socket"])) sockets.push(message["socket"]);
  });
  return (but) =>
    sockets
      .filter(({ remotePort }) => but === undefined || remotePort !== but)
      .reduce((sum, { bytesWritten, bytesRead }) => sum + bytesWritten + bytesRead, 0);
};

interface Place {
  readonly selfSize: number;
  readonly children: readonly Place[];
}

const sizeOf = ({ selfSize, children }: Place): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);

/** Bytes that are allocated while `work` runs, whether they are still in use or not. */
const allocatedBy = async (session: Session, work: () => Promise<void>): Promise<number> => {
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 1024,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await work();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  return sizeOf(profile.head);
};

const each = (count: number): number => Math.round(count / ROUNDS);

test("requests take no more statements, bytes and memory than they did", async () => {
  const bytes = countBytes();
  const { database, statements } = recording(await exampleDatabase(onTestFinished));
  const { send, token, allowPublic } = await exampleApp(onTestFinished, database, { cache: { enabled: false } });
  // Other tests commit on the same server of PostgreSQL. What they commit does not count here, but asking does.
  const snapshot = async (): Promise<number> => {
    await database.snapshot?.();
    return 1;
  };
  const caching = await served(await exampleApp(onTestFinished, { ...database, snapshot }), onTestFinished);
  const secret = await token();
  const create = async (path: string, data: object): Promise<string> =>
    textAt((await send("POST", path, { token: secret, body: { data } })).body, "data.documentId");
  const author = await create("/api/authors", { name: "Somebody", slug: "somebody" });
  const tag = await create("/api/tags", { name: "A tag", slug: "a-tag" });
  let number = 0;
  const article = () => {
    number += 1;
    return { title: `Article ${number}`, slug: `article-${number}`, author, tags: [tag], body: [] };
  };
  let document = "";
  for (let made = 0; made < 30; made += 1) document = await create("/api/articles", article());
  const reads = ["article", "author", "tag"].flatMap((name) => [
    `api::${name}.${name}.find`,
    `api::${name}.${name}.findOne`,
  ]);
  await allowPublic(...reads);
  await caching.services.auth.roles.changed();
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());

  type Answering = () => Promise<{ readonly status: number; readonly text: string }>;
  const costOf = async (name: Request, request: Answering): Promise<Cost> => {
    const run = async (times: number): Promise<void> => {
      for (let turn = 0; turn < times; turn += 1) {
        const { status, text } = await request();
        if (status >= 300) throw new Error(text);
      }
    };
    await run(WARM);
    const least = { statements: Infinity, wire: Infinity, allocated: Infinity };
    for (let time = 0; time < TIMES && beyondBounds(name, least).length > 0; time += 1) {
      statements.length = 0;
      const before = bytes(caching.port);
      const allocated = await allocatedBy(session, () => run(ROUNDS));
      least.statements = Math.min(least.statements, each(statements.length));
      least.wire = Math.min(least.wire, each(bytes(caching.port) - before));
      least.allocated = Math.min(least.allocated, each(allocated));
    }
    return least;
  };
  const populate = "populate[author]=true&populate[tags]=true&populate[cover]=true";
  const requests: Readonly<Record<Request, Answering>> = {
    one: () => send("GET", `/api/articles/${document}`),
    list: () => send("GET", `/api/articles?${populate}`),
    graphql: () =>
      send("POST", "/graphql", { body: { query: "{ articles { data { id attributes { title slug } } } }" } }),
    cachedOne: () => caching.send("GET", `/api/articles/${document}`),
    cachedList: () => caching.send("GET", `/api/articles?${populate}`),
    create: () => send("POST", "/api/articles", { token: secret, body: { data: article() } }),
    update: () =>
      send("PUT", `/api/articles/${document}`, { token: secret, body: { data: { excerpt: `${(number += 1)}` } } }),
  };
  const beyond: string[] = [];
  for (const name of REQUESTS) beyond.push(...beyondBounds(name, await costOf(name, requests[name])));
  expect(beyond).toEqual([]);
}, 300_000);
