/**
 * Ports for servers that are told theirs. Each process of a test run has a share of its own of those that no usual
 * system gives by itself, and gives them out in turn: until the server listens, and while it is started again, neither
 * another test nor a client gets the port.
 */
import { createServer } from "node:net";

const FIRST = 10_000;
/** More than a run has processes; the first share is that of the process which starts them. */
const SHARES = 16;
/** The last share ends at 16,000. */
const MANY = 375;
const start = FIRST + MANY * (Number(process.env["VITEST_POOL_ID"] ?? 0) % SHARES);

// Another run on the same machine hardly begins at the same place.
let next = Math.floor(Math.random() * MANY);

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });

/** A port that is free now, and that this process has given to nobody lately. */
export const freePort = async (): Promise<number> => {
  next = (next + 1) % MANY;
  // Those who ask at the same time move `next` on while this waits.
  const port = start + next;
  return (await isFree(port)) ? port : freePort();
};
