/** A way to a server that can be cut and mended, and on which answers can be kept back. */
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

export interface Wire {
  readonly port: number;
  /** Takes connections again. */
  mend(): Promise<void>;
  /** Ends all connections and takes no more. */
  cut(): Promise<void>;
  /** From now on no answer arrives on the connections that there are. */
  mute(): void;
  /** Takes connections and whatever comes on them, and passes nothing on; until it is cut. */
  swallow(): void;
}

const keep = (sockets: Set<Socket>, socket: Socket): void => {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
};

/** A wire to the server at `target`, on a port of its own of this machine. */
export const wireTo = async (target: URL): Promise<Wire> => {
  const { hostname, port: targetPort } = target;
  const near = new Set<Socket>();
  const far = new Set<Socket>();
  let swallows = false;
  const server = createServer({ noDelay: true }, (client) => {
    if (swallows) {
      keep(near, client.resume());
      return;
    }
    const upstream = connect({ port: Number(targetPort), host: hostname, noDelay: true });
    keep(near, client);
    keep(far, upstream);
    client.pipe(upstream).pipe(client);
  });
  const port = await freePort();
  const mend = () => new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  await mend();
  return {
    port,
    mend,
    async cut() {
      swallows = false;
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of [...near, ...far]) socket.destroy();
      await closed;
    },
    mute() {
      for (const socket of far) socket.unpipe().pause();
    },
    swallow() {
      swallows = true;
      for (const socket of near) socket.unpipe().resume();
      for (const socket of far) socket.unpipe().pause();
    },
  };
};
