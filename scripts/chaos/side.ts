/** What faults do beside the servers under test. */
import { setTimeout as wait } from "node:timers/promises";
import type { Side, World } from "./world.ts";

/** PostgreSQL, by a connection of our own. */
export const sideOf = ({ side }: World): Side => {
  if (!side) throw new Error("this fault needs a PostgreSQL server");
  return side;
};

/** Backends of the servers under test, by the name of the database and without our own. */
export const others = "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/** Does something again and again for `duration` milliseconds. */
export const repeatedly = async (duration: number, pause: number, work: () => Promise<unknown>): Promise<void> => {
  const until = Date.now() + duration;
  while (Date.now() < until) {
    await work();
    await wait(pause);
  }
};
