/** Tells public Internet addresses from those of this machine and its network. */
import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { refused } from "../../../runtime/events/addresses.ts";

/** The IPv4 address that a gateway has embedded in an address, or else the address itself. */
const reached = (address: string): string => {
  const [, high = "0", low] = /^64:ff9b::(?:([\da-f]+):)?([\da-f]+)$/i.exec(address) ?? [];
  if (low === undefined) return address;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
};

/** Whether all addresses of the host are public. */
export const isPublicHost = async (url: URL): Promise<boolean> => {
  const found = await lookup(url.hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  const addresses = found.map(({ address }) => reached(address));
  return addresses.length > 0 && !addresses.some((each) => refused.check(each, isIPv6(each) ? "ipv6" : "ipv4"));
};
