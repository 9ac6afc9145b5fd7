/** Something that goes wrong in production, done on purpose. It begins, lasts, and is over when it resolves. */
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** What it takes: processes only, a PostgreSQL that may be shared, or one of our own. */
  readonly needs: "processes" | "postgres" | "own postgres";
  /** Whether connections of clients may end without an answer: only where processes are killed. */
  readonly resets: boolean;
  /** Resolves with what should not have happened, once the fault is over. */
  run(world: World, random: Random, duration: number): Promise<readonly string[]>;
}
