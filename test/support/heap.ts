/** How much memory stays in use after what a test does, where other things go on in the process as well. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

const inUse = (): number => {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
};

/** What other tests of the process have left may allocate meanwhile. What piles up does so every time. */
const TIMES = 3;

type Call = (number: number) => Promise<unknown>;

/**
 * The bytes that `count` calls leave in use after a first one: the least of several times, unless one is below `most`.
 * Each time `begin` makes something new to call, because what is full grows no more.
 */
export const leastGrowth = async (count: number, begin: () => Promise<Call>, most: number): Promise<number> => {
  // Nothing of an earlier time becomes free while a later one is measured.
  const kept: Call[] = [];
  let least = Infinity;
  while (kept.length < TIMES && least >= most) {
    const call = await begin();
    kept.push(call);
    await call(0);
    const before = inUse();
    for (let number = 1; number <= count; number += 1) await call(number);
    least = Math.min(least, inUse() - before);
  }
  return least;
};
