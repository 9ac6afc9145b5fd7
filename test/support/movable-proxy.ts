/** A proxy that passes new connections on to another port from some moment on, and leaves those that are there alone. */
import { connect, createServer, type Socket } from "node:net";
import type { Cleanup } from "./database.ts";
import { freePort } from "./free-port.ts";

export interface MovableProxy {
  readonly port: number;
  moveTo(target: number): void;
}

export const movableProxy = async (first: number, cleanup: Cleanup): Promise<MovableProxy> => {
  let target = first;
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  };
  const server = createServer({ noDelay: true }, (inner) => {
    const outer = connect({ port: target, host: "127.0.0.1", noDelay: true });
    pass(inner, outer);
    pass(outer, inner);
  });
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  cleanup(
    () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return { port, moveTo: (port) => void (target = port) };
};
