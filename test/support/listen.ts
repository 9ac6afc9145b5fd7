import type { Server } from "node:http";

/** Listens on a free port of this machine and returns the address. */
export const listenOnFreePort = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(`http://127.0.0.1:${address.port}`);
      else reject(new Error("the server has no port"));
    });
  });
