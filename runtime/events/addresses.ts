/** Restricts the addresses that webhooks may send to. */
import { lookup as resolve } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

/** Addresses of this machine, of private networks, and reserved ones. */
const PRIVATE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
  "fc00::/7",
  "fe80::/10",
  "ff00::/8",
];

const family = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), family(address));
  }
  return list;
};

export const refused = listOf(PRIVATE);

/** A refused address. Thrown before anything is sent. */
export class AddressRefusedError extends Error {
  constructor(host: string) {
    super(`${host} is a private address; events.allowAddresses may allow it`);
  }
}

/** Decides where a request may go. */
export interface AddressGuard {
  /** Throws if the host is itself a private address. */
  demand(host: string): void;
  /** Resolves and checks names for a connection, so that it uses an address that was checked. */
  readonly lookup: LookupFunction;
}

export const addressGuard = (allowed: readonly string[]): AddressGuard => {
  const excepted = listOf(allowed);
  const isRefused = (address: string): boolean =>
    refused.check(address, family(address)) && !excepted.check(address, family(address));
  return {
    demand(host) {
      const address = host.replace(/^\[|\]$/g, "");
      if (isIP(address) !== 0 && isRefused(address)) throw new AddressRefusedError(address);
    },
    lookup(host, options, done) {
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, "");
        const bad = addresses.find(({ address }) => isRefused(address));
        if (bad) return done(new AddressRefusedError(`${host} (${bad.address})`), "");
        const [first] = addresses;
        if (options.all || !first) return done(null, addresses);
        return done(null, first.address, first.family);
      });
    },
  };
};
