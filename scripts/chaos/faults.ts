/** All production faults that are injected. */
import { setTimeout as wait } from "node:timers/promises";
import { databaseFaults } from "./database-faults.ts";
import type { Fault } from "./fault.ts";
import type { Random } from "./random.ts";
import type { ServerProcess } from "./servers.ts";
import type { World } from "./world.ts";

/** Exit codes of `cms start`: 0, or 1 if it aborted requests. */
const CODES = [0, 1];

/** Milliseconds between the signals to stop and to kill that orchestrators commonly allow. */
const GRACE = 30_000;

const endInOrder = async (
  server: ServerProcess,
  signal: NodeJS.Signals,
  codes: readonly number[] = [0],
): Promise<readonly string[]> => {
  const { took, code } = await server.end(signal);
  return [
    ...(took > GRACE ? [`${signal}: the process lived for ${(took / 1000).toFixed(1)} s more`] : []),
    ...(code !== null && codes.includes(code) ? [] : [`${signal}: the process ended with ${code ?? "a signal"}`]),
  ];
};

/** Kills as often as the world says, each time after some load, and starts anew what was killed. */
const killAgain = async ({ kills }: World, random: Random, kill: () => Promise<void>): Promise<readonly string[]> => {
  await kill();
  for (let more = 1; more < kills; more += 1) {
    await wait(random.below(1000));
    await kill();
  }
  return [];
};

const processFaults: readonly Fault[] = [
  {
    name: "kill -9 of a process",
    needs: "processes",
    resets: true,
    run: (world, random) =>
      killAgain(world, random, async () => {
        const server = random.pick(world.servers);
        await server.end("SIGKILL");
        await wait(200);
        await server.start();
      }),
  },
  {
    name: "kill -9 of all processes",
    needs: "processes",
    resets: true,
    run: (world, random) =>
      killAgain(world, random, async () => {
        await Promise.all(world.servers.map((each) => each.end("SIGKILL")));
        await Promise.all(world.servers.map((each) => each.start()));
      }),
  },
  {
    name: "rolling restart (SIGTERM)",
    needs: "processes",
    resets: false,
    async run({ servers }) {
      const found: string[] = [];
      for (const server of servers) {
        found.push(...(await endInOrder(server, "SIGTERM")));
        await server.start();
      }
      return found;
    },
  },
  {
    name: "a process stands still (SIGSTOP)",
    needs: "processes",
    resets: false,
    async run({ servers }, random, duration) {
      const server = random.pick(servers);
      server.kill("SIGSTOP");
      await wait(duration);
      server.kill("SIGCONT");
      return [];
    },
  },
];

export const faults: readonly Fault[] = [
  {
    name: "none",
    needs: "processes",
    resets: false,
    run: async (_world, _random, duration) => (await wait(duration), []),
  },
  ...processFaults,
  ...databaseFaults((server, signal) => endInOrder(server, signal, CODES)),
];
