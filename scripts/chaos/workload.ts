/** Many concurrent clients, each running one operation after another until stopped. */
import { setTimeout as wait } from "node:timers/promises";
import { createAnnouncements } from "./announcements.ts";
import type { Area, Session } from "./area.ts";
import { type Answer, type Client, createClient } from "./client.ts";
import { createFiles } from "./files.ts";
import { createFront } from "./front.ts";
import type { Contradiction } from "./history.ts";
import { createLinks } from "./links.ts";
import { createMessages } from "./messages.ts";
import { createNotes } from "./notes.ts";
import { createRandom, type Random } from "./random.ts";
import type { ServerProcess } from "./servers.ts";
import { createShelves } from "./shelves.ts";
import { createTally, judge, type Tally } from "./tally.ts";
import type { World } from "./world.ts";

export interface Workload {
  readonly tally: Tally;
  /** Runs until `stop`; resets the counts. */
  begin(): void;
  /** Resolves when every client has its last answer. */
  stop(): Promise<void>;
  /** Compares the stored data with the acknowledged writes. */
  verify(): Promise<{ readonly contradictions: readonly Contradiction[]; readonly undecided: number }>;
  close(): void;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Milliseconds that a client waits after an answer that asks it to. */
const BACK_OFF = 150;

/** The answer; its cause includes the server's state, if there is one. */
const withState = (answer: Answer, server: ServerProcess | undefined, called: number): Answer => {
  if (answer.kind !== "reset" || server === undefined) return answer;
  const { askedAt, isRunning } = server;
  const asked =
    askedAt === undefined
      ? "the process was to go on"
      : `the process was asked to end ${askedAt < called ? "before" : "after"} the request`;
  return { ...answer, cause: `${answer.cause}; ${asked}${isRunning ? "" : " and has ended by now"}` };
};

export const createWorkload = async (world: World, seed: number, clients: number): Promise<Workload> => {
  const random = createRandom(seed);
  const state = { tally: createTally(), stopped: true, running: [] as Promise<void>[] };
  const areas: readonly Area[] = [
    createNotes(() => state.tally),
    createLinks(() => state.tally),
    createFiles(() => state.tally),
    createFront(() => state.tally),
    createShelves(),
    createMessages(world.received),
    createAnnouncements(),
  ];

  const open = (client: Client, own: Random, port?: number): Session => ({
    random: own,
    async ask(what, call, missing) {
      const running = world.servers.filter((each) => each.isRunning);
      const server =
        world.servers.find((each) => each.port === port) ?? (running.length > 0 ? own.pick(running) : undefined);
      const called = performance.now();
      const answer: Answer = server ? await client.send(server.port, call) : { kind: "refused" };
      const returned = performance.now();
      const { outcome, text } = judge(state.tally, what, withState(answer, server, called), missing);
      if (outcome === "unknown" || answer.kind === "refused") await wait(BACK_OFF);
      return { outcome, body: parse(text), called, returned };
    },
  });

  const pool = Array.from({ length: clients }, () => createClient(world.token));
  const sessions = pool.map((client) => open(client, createRandom(random.below(2 ** 31))));
  const [first] = sessions;
  if (!first) throw new Error("a workload needs clients");
  for (const area of areas) await area.prepare(first);

  const run = async (session: Session): Promise<void> => {
    while (!state.stopped) await session.random.pick(areas).act(session);
  };

  return {
    get tally() {
      return state.tally;
    },
    begin() {
      state.tally = createTally();
      // The servers may be closing connections kept since the last time.
      for (const client of pool) client.close();
      state.stopped = false;
      state.running = sessions.map(run);
    },
    async stop() {
      state.stopped = true;
      await Promise.all(state.running);
    },
    async verify() {
      // A fresh client each time: the server may be closing a connection kept since the last time.
      const reader = createClient(world.token);
      for (const { port } of world.servers) {
        const session = open(reader, random, port);
        for (const area of areas) await area.readAll(session);
      }
      reader.close();
      const verdicts = areas.map((area) => area.settle());
      return {
        contradictions: verdicts.flatMap(({ contradictions }) => contradictions),
        undecided: verdicts.reduce((sum, { undecided }) => sum + undecided, 0),
      };
    },
    close() {
      for (const client of pool) client.close();
    },
  };
};
