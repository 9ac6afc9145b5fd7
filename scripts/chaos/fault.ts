/** A production fault, injected on purpose. It starts, lasts, and is over when its promise resolves. */
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export interface Fault {
  readonly name: string;
  /** What it needs: processes only, a PostgreSQL that may be shared, or a dedicated one. */
  readonly needs: "processes" | "postgres" | "own postgres";
  /** Whether clients may lose connections without an answer: only if processes are killed. */
  readonly resets: boolean;
  /** Resolves, once the fault is over, with anything that should not have happened. */
  run(world: World, random: Random, duration: number): Promise<readonly string[]>;
}
