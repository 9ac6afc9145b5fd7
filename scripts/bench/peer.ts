import type { Target } from "./load.ts";

/** Another server of this wire format. @throws Error for anything but a URL such as `http://127.0.0.1:1337` */
export const peerAt = (address: string, token: string | undefined): Target => {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== "http:") throw new Error(`${address}: a peer is asked by plain http, as we are`);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { host: hostname, port: Number(port || 80), headers };
};
