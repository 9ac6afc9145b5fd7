/** Actions of faults outside the servers under test. */
import { setTimeout as wait } from "node:timers/promises";
import type { Side, World } from "./world.ts";

/** PostgreSQL, over a separate connection. */
export const sideOf = ({ side }: World): Side => {
  if (!side) throw new Error("this fault needs a PostgreSQL server");
  return side;
};

/** Backends of the servers under test, by database name, without our own. */
export const others = "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/** Repeats an action for `duration` milliseconds. */
export const repeatedly = async (duration: number, pause: number, work: () => Promise<unknown>): Promise<void> => {
  const until = Date.now() + duration;
  while (Date.now() < until) {
    await work();
    await wait(pause);
  }
};
