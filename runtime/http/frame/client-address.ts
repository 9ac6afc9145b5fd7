/** The address that a request comes from. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { ConfigError } from "../../base/thrown.ts";

const family = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

/** An IPv4 address, without the prefix that it has on an IPv6 socket. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "").trim();

const blockList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const bits = prefix === undefined ? (isIPv6(address) ? 128 : 32) : Number(prefix);
    if (isIP(address) === 0 || !Number.isInteger(bits)) {
      throw new ConfigError(`server.trustedProxies: "${range}" is neither an address nor a range such as 10.0.0.0/8`);
    }
    list.addSubnet(address, bits, family(address));
  }
  return list;
};

/** The parts of a request that tell its address, as in Hono's context. */
interface Sent {
  /** Undefined when a test calls the application without a server. */
  readonly env: { readonly incoming?: Pick<IncomingMessage, "socket"> } | undefined;
  readonly req: { header(name: string): string | undefined };
}

export type ClientAddress = (c: Sent) => string;

const peerOf = ({ env }: Sent): string => plain(env?.incoming?.socket.remoteAddress ?? "unknown");

/** Whether an address is that of a trusted proxy. */
const trustedAddresses = (trustedProxies: readonly string[]): ((address: string) => boolean) => {
  const trusted = blockList(trustedProxies);
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
};

/** Whether a request comes over the connection of a trusted proxy. */
export const isTrustedPeer = (trustedProxies: readonly string[]): ((incoming: IncomingMessage) => boolean) => {
  const isTrusted = trustedAddresses(trustedProxies);
  return ({ socket }) => isTrusted(plain(socket.remoteAddress ?? ""));
};

/**
 * Creates the function that finds a client's address: the address of the connection, unless that belongs to a trusted
 * proxy. Then it is the last address in `X-Forwarded-For` that is not a trusted proxy, since clients can make up the
 * earlier ones.
 *
 * @throws ConfigError for an invalid range of addresses
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  if (trustedProxies.length === 0) return peerOf;
  const isTrusted = trustedAddresses(trustedProxies);
  return (c) => {
    const peer = peerOf(c);
    if (!isTrusted(peer)) return peer;
    const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map(plain);
    const client = forwarded.reverse().find((address) => !isTrusted(address));
    return client !== undefined && isIP(client) !== 0 ? client : peer;
  };
};
