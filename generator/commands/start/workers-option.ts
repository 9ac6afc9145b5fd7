import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";

const MOST = 64;

/** Parses `--workers`: a number of processes, or `auto` for as many as there are cores. */
export const parseWorkers = (text: string): number => {
  if (text === "auto") return availableParallelism();
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MOST) {
    throw new InvalidArgumentError(`workers are a number from 1 to ${MOST}, or "auto".`);
  }
  return count;
};
