/**
 * Ports for servers that are told theirs. They come one after the other, from a place of this process's own among those
 * that the system gives to nobody by itself: until the server listens, neither another test nor a client gets the port.
 */
import { createServer } from "node:net";

const FIRST = 11_000;
const MANY = 20_000;

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
  const port = FIRST + next;
  return (await isFree(port)) ? port : freePort();
};
