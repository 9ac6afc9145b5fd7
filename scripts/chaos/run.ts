/** Injects faults one after another into a world under load, and reports the effects of each. */
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "./client.ts";
import type { Fault } from "./fault.ts";
import { faults } from "./faults.ts";
import { createRandom, type Random } from "./random.ts";
import type { Tally } from "./tally.ts";
import { createWorkload, type Workload } from "./workload.ts";
import { openWorld, type World, type WorldOptions } from "./world.ts";

export interface Trial {
  readonly fault: string;
  /** Processes that were killed. */
  readonly kills: number;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly lost: number;
  readonly hung: number;
  readonly wrong: number;
  readonly crashed: number;
  readonly undecided: number;
  /** Milliseconds from the end of the fault until every process has written and read again. */
  readonly recovery: number;
  /** Details behind the numbers. */
  readonly findings: readonly string[];
}

export interface RunOptions extends WorldOptions {
  readonly seed: number;
  /** Names of faults; by default, all that the database allows. */
  readonly only?: readonly string[] | undefined;
  /** The duration of a fault in milliseconds, if it is adjustable. */
  readonly duration: number;
  readonly clients: number;
  /** Called after each trial to ask whether there is time for another; each fault runs at least once. */
  readonly goesOn: () => boolean;
  readonly onTrial?: (trial: Trial) => void;
}

/** The maximum milliseconds until a process serves again. */
const RECOVERY_PATIENCE = 60_000;

/** Waits until each process has stored something and read it. */
const recovered = async ({ servers, token }: World): Promise<{ took: number; findings: string[] }> => {
  const began = Date.now();
  const findings: string[] = [];
  for (const server of servers) {
    const client = createClient(token);
    for (;;) {
      if (!server.isRunning) {
        await server.start();
      }
      const body = JSON.stringify({ data: { name: "probe" } });
      const written = await client.send(server.port, { method: "POST", path: "/api/groups", body });
      const read = await client.send(server.port, { method: "GET", path: "/api/groups?filters[name]=probe" });
      if (written.kind === "answered" && written.status < 300 && read.kind === "answered" && read.status < 300) break;
      if (Date.now() - began > RECOVERY_PATIENCE) {
        findings.push("a process did not serve again after a minute, and was started anew");
        await server.end("SIGKILL");
        await server.start();
      }
      await wait(50);
    }
    client.close();
  }
  return { took: Date.now() - began, findings };
};

/** Waits until PostgreSQL runs none of the servers' queries. */
const atRest = async ({ side }: World): Promise<readonly string[]> => {
  if (!side) return [];
  const until = Date.now() + RECOVERY_PATIENCE;
  for (let quiet = 0; quiet < 3;) {
    const busy = await side.sql`
      select pid, state, query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and state <> 'idle'`;
    quiet = busy.length === 0 ? quiet + 1 : 0;
    if (Date.now() > until) {
      for (const { pid } of busy) await side.sql`select pg_terminate_backend(${pid}::int)`;
      return busy.map(
        ({ state, query }) => `a connection was left "${String(state)}" after ${String(query).slice(0, 120)}`,
      );
    }
    await wait(50);
  }
  return [];
};

const wrongOf = ({ wrong, resets }: Tally, fault: Fault): Map<string, number> => {
  if (fault.resets) return new Map(wrong);
  const ended = [...resets].map(
    ([what, times]) => [`a connection that ended without an answer: ${what}`, times] as const,
  );
  return new Map([...wrong, ...ended]);
};

const tryFault = async (
  world: World,
  workload: Workload,
  fault: Fault,
  random: Random,
  duration: number,
): Promise<Trial> => {
  const killed = (): number => world.servers.reduce((sum, server) => sum + server.killed, 0);
  const killedBefore = killed();
  workload.begin();
  await wait(300 + random.below(500));
  const faulty = await fault.run(world, random, duration).catch((error: unknown) => [
    // Most likely a lock that a server's connection never releases.
    `the fault could not be carried out: ${error instanceof Error ? error.message : String(error)}`,
  ]);
  const recovery = await recovered(world);
  await wait(500);
  await workload.stop();
  const restless = await atRest(world);
  // The final reads are client requests too: their errors count.
  const { contradictions, undecided } = await workload.verify();
  const wrong = wrongOf(workload.tally, fault);
  const crashes = world.servers.flatMap(({ crashes }) => crashes.splice(0));
  const { acknowledged, unknown, hung } = workload.tally;
  return {
    fault: fault.name,
    kills: killed() - killedBefore,
    acknowledged,
    unknown,
    lost: contradictions.filter(({ lost }) => lost).length,
    hung: hung + restless.length + recovery.findings.length,
    wrong:
      contradictions.filter(({ lost }) => !lost).length +
      [...wrong.values()].reduce((a, b) => a + b, 0) +
      faulty.length,
    crashed: crashes.length,
    undecided,
    recovery: recovery.took,
    findings: [
      ...faulty,
      ...restless,
      ...recovery.findings,
      ...crashes,
      ...[...wrong].map(([what, times]) => `${times} x ${what}`),
      ...contradictions.map(({ name, lost, explanation }) => `${lost ? "lost" : "wrong"}: ${name}\n    ${explanation}`),
    ],
  };
};

const allows = (fault: Fault, { side }: World): boolean =>
  fault.needs === "processes" || (side !== undefined && (fault.needs === "postgres" || side.server !== undefined));

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

/** Tries every fault once, in seeded order, and repeats while there is time. */
export const runChaos = async (options: RunOptions): Promise<readonly Trial[]> => {
  const { seed, only, duration, clients, goesOn, onTrial } = options;
  const world = await openWorld(options);
  const trials: Trial[] = [];
  try {
    const random = createRandom(seed);
    const chosen = faults.filter((fault) => (only ? only.includes(fault.name) : true) && allows(fault, world));
    const workload = await createWorkload(world, seed, clients);
    do {
      for (const fault of shuffled(chosen, random)) {
        if (trials.length >= chosen.length && !goesOn()) break;
        const trial = await tryFault(world, workload, fault, random, duration);
        trials.push(trial);
        onTrial?.(trial);
      }
    } while (goesOn());
    workload.close();
  } finally {
    await world.close();
  }
  return trials;
};
