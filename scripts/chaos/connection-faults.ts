/** Faults of connections to PostgreSQL, and of the network in between. */
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import type { Fault } from "./fault.ts";
import { others, repeatedly, sideOf } from "./side.ts";
import type { Side } from "./world.ts";

const useUpConnections = async ({ sql }: Side, duration: number): Promise<void> => {
  const { host, port, user, pass, database } = sql.options;
  const taken: postgres.Sql[] = [];
  try {
    for (let index = 0; index < 200; index += 1) {
      const one = postgres({
        host: host[0] ?? "",
        port: port[0] ?? 0,
        user,
        password: pass ?? "",
        database,
        max: 1,
        fetch_types: false,
        onnotice: () => {},
      });
      taken.push(one);
      if (
        !(await one.unsafe("select 1").then(
          () => true,
          () => false,
        ))
      )
        break;
    }
    // Pools under test cannot reopen connections that end now.
    await sql
      .unsafe(`select pg_terminate_backend(pid) from (select pid from pg_stat_activity where ${others}
      and application_name <> '' order by random() limit 3) some`)
      .catch(() => {});
    await wait(duration);
  } finally {
    await Promise.all(taken.map((one) => one.end({ timeout: 1 })));
  }
};

/** Faults of single connections, and of their network path. */
export const connectionFaults: readonly Fault[] = [
  {
    name: "black hole before PostgreSQL",
    needs: "postgres",
    resets: false,
    async run(world, random, duration) {
      const proxy = random.pick(sideOf(world).proxies);
      proxy.blackhole();
      await wait(duration * 3);
      proxy.pass();
      return [];
    },
  },
  {
    name: "connections to PostgreSQL are cut",
    needs: "postgres",
    resets: false,
    async run(world, random, duration) {
      const proxy = random.pick(sideOf(world).proxies);
      proxy.cut();
      await wait(duration / 2);
      proxy.pass();
      return [];
    },
  },
  {
    name: "terminated backends",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      const { sql } = sideOf(world);
      await repeatedly(duration, 300, () =>
        sql.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${others} and random() < 0.4`),
      );
      return [];
    },
  },
  {
    name: "cancelled statements",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      const { sql } = sideOf(world);
      await repeatedly(duration, 15, () =>
        sql.unsafe(`select pg_cancel_backend(pid) from pg_stat_activity where ${others} and state = 'active'`),
      );
      return [];
    },
  },
  {
    name: "connections used up",
    needs: "own postgres",
    resets: false,
    async run(world, _random, duration) {
      await useUpConnections(sideOf(world), duration);
      return [];
    },
  },
];
