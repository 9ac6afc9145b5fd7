/** Faults of PostgreSQL itself, and locks. */
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { connectionFaults } from "./connection-faults.ts";
import type { Fault } from "./fault.ts";
import type { ServerProcess } from "./servers.ts";
import { others, repeatedly, sideOf } from "./side.ts";
import type { Side } from "./world.ts";

const DEADLOCK = "40P01";

const isDeadlock = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === DEADLOCK;

/** Runs `work` while holding the lock that `statement` takes. Retries if the statement deadlocks with writers. */
const holding = async <Result>({ sql }: Side, statement: string, work: () => Promise<Result>): Promise<Result> => {
  const connection = await sql.reserve();
  try {
    for (let held = false; !held;) {
      await connection.unsafe("begin");
      try {
        await connection.unsafe(statement);
        held = true;
      } catch (error) {
        await connection.unsafe("rollback");
        if (!isDeadlock(error)) throw error;
      }
    }
    return await work();
  } finally {
    await connection.unsafe("rollback");
    connection.release();
  }
};

/** Statements that inject a fault into the database, and those that remove it. */
const between = async ({ sql }: Side, duration: number, begin: string, end: string): Promise<void> => {
  await sql.unsafe(begin).simple();
  try {
    await wait(duration);
  } finally {
    await sql.unsafe(end).simple();
  }
};

const restart = (mode: "fast" | "immediate"): Fault => ({
  name: `PostgreSQL restarts (-m ${mode})`,
  needs: "own postgres",
  resets: false,
  async run(world, random) {
    await sideOf(world).server?.restart(mode, random.below(1500));
    return [];
  },
});

/**
 * Simulates a full disk: every statement that stores anything fails with that error code. A real one would need its own
 * file system, and permissions that no test should have.
 */
const fullDisk = {
  begin: `
    create function chaos_disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger chaos before insert or update on notes for each statement execute function chaos_disk_full();
    create trigger chaos before insert or update on items_groups for each statement execute function chaos_disk_full();
    create trigger chaos before insert or update on files for each statement execute function chaos_disk_full();`,
  end: "drop function if exists chaos_disk_full cascade",
};

const readOnly = {
  begin: `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$;
    select pg_terminate_backend(pid) from pg_stat_activity where ${others};`,
  end: `do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$;
    select pg_terminate_backend(pid) from pg_stat_activity where ${others};`,
};

const locks: readonly Fault[] = [
  {
    name: "locked rows",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      await holding(sideOf(world), "select 1 from documents order by document_id limit 6 for update", () =>
        wait(duration),
      );
      return [];
    },
  },
  {
    name: "locked table",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      await holding(sideOf(world), "lock table notes in access exclusive mode", () => wait(duration));
      return [];
    },
  },
];

type EndInOrder = (server: ServerProcess, signal: NodeJS.Signals) => Promise<readonly string[]>;

export const databaseFaults = (endInOrder: EndInOrder): readonly Fault[] => [
  restart("fast"),
  restart("immediate"),
  ...connectionFaults,
  ...locks,
  {
    name: "disk full (53100)",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      await between(sideOf(world), duration, fullDisk.begin, fullDisk.end);
      return [];
    },
  },
  {
    name: "read-only after a failover (25006)",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      await between(sideOf(world), duration, readOnly.begin, readOnly.end);
      return [];
    },
  },
  {
    name: "altered tables",
    needs: "postgres",
    resets: false,
    async run(world, _random, duration) {
      const { sql } = sideOf(world);
      const alter = (type: string): Promise<unknown> =>
        sql
          .unsafe(
            `alter table notes alter column title type ${type}; alter table items alter column name type ${type};
           alter table files alter column name type ${type}`,
          )
          .simple();
      await repeatedly(duration, 400, async () => {
        await alter("varchar(255)");
        await wait(400);
        await alter("text");
      });
      return [];
    },
  },
  {
    name: "SIGTERM while a row is locked",
    needs: "postgres",
    resets: true,
    async run(world, random, duration) {
      const server = random.pick(world.servers);
      const found = await holding(sideOf(world), "select 1 from documents order by 1 for update", async () => {
        await wait(duration / 2);
        return endInOrder(server, "SIGTERM");
      });
      await server.start();
      return found;
    },
  },
];
