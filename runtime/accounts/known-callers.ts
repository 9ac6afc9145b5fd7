/** Callers by the Authorization header that they were recognised by, so that a request costs one look into a map. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";

/** What another process changed is seen after this many milliseconds even when no notification arrived. */
const STALE_AFTER = 5000;

/** A caller, and when the credential ends (milliseconds since 1970; infinite when it never does). */
export interface Recognised {
  readonly caller: Caller;
  readonly until: number;
}

export interface KnownCallers {
  get(authorization: string): Caller | undefined;
  /** Recognises the caller of a header, and remembers who it was unless something has changed meanwhile. */
  recognise(authorization: string, find: () => Promise<Recognised>): Promise<Caller>;
  /** To be called when anything changed that tells who callers are and what they may do. */
  forget(): void;
}

/** As long for any header: a sender may pad one to many kilobytes, in as many ways as there are. */
const headerHash = (authorization: string): string => hash("sha256", authorization, "base64");

export const createKnownCallers = (): KnownCallers => {
  const known = new LRUCache<string, Recognised>({ max: 10_000 });
  let generation = 0;
  return {
    get(authorization) {
      const entry = known.get(headerHash(authorization));
      return entry && entry.until > Date.now() ? entry.caller : undefined;
    },
    async recognise(authorization, find) {
      const before = generation;
      const { caller, until } = await find();
      if (generation === before) {
        known.set(headerHash(authorization), { caller, until: Math.min(until, Date.now() + STALE_AFTER) });
      }
      return caller;
    },
    forget() {
      generation += 1;
      known.clear();
    },
  };
};
