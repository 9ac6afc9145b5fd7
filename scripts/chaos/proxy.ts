/** A TCP proxy between a server and its database, which can be told to misbehave. */
import { connect, createServer, type Socket } from "node:net";

export interface Proxy {
  readonly port: number;
  /** Accepts connections and data but forwards nothing, like a network that silently drops packets. */
  blackhole(): void;
  /** Resets all connections, and each new one until `pass`. */
  cut(): void;
  /** Forwards everything again. Data lost in a black hole stays lost: its connections are reset. */
  pass(): void;
  close(): Promise<void>;
}

type Mode = "pass" | "blackhole" | "cut";

export const startProxy = (target: number): Promise<Proxy> => {
  let mode: Mode = "pass";
  const sockets = new Set<Socket>();

  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const forward = (from: Socket, to: Socket): void => {
    from.on("data", (chunk) => void (mode === "pass" && to.write(chunk)));
    from.on("close", () => to.destroy());
  };

  const server = createServer({ noDelay: true }, (inner) => {
    keep(inner);
    if (mode === "cut") inner.resetAndDestroy();
    if (mode !== "pass") return;
    const outer = keep(connect({ port: target, host: "127.0.0.1", noDelay: true }));
    forward(inner, outer);
    forward(outer, inner);
  });

  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        blackhole: () => void (mode = "blackhole"),
        cut() {
          mode = "cut";
          reset();
        },
        pass() {
          if (mode === "blackhole") reset();
          mode = "pass";
        },
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            reset();
          }),
      });
    });
  });
};
