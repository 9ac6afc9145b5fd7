/** Tells public Internet addresses from those of this machine and its network. */
import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";

const LOCAL = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  LOCAL.addSubnet(net, prefix, "ipv4");
  // The form in which gateways embed IPv4 addresses.
  LOCAL.addSubnet(`64:ff9b::${net}`, 96 + prefix, "ipv6");
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  LOCAL.addSubnet(net, prefix, "ipv6");
}

/** Whether all addresses of the host are public. */
export const isPublicHost = async (url: URL): Promise<boolean> => {
  const found = await lookup(url.hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return found.length > 0 && found.every(({ address }) => !LOCAL.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
};
