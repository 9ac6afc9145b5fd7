/** Caches callers by Authorization header, so that most requests need only a map lookup. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";

/** Milliseconds after which cached callers are looked up again, in case a notification about a change was lost. */
const STALE_AFTER = 5000;

/** A caller, and when the credential expires (milliseconds since 1970; infinite if never). */
export interface Recognised {
  readonly caller: Caller;
  readonly until: number;
}

/** A fixed-length hash of the header: clients can pad a header to many kilobytes in many ways. */
const headerHash = (authorization: string): string => hash("sha256", authorization, "base64");

export const createKnownCallers = () => {
  const known = new LRUCache<string, Recognised>({ max: 10_000 });
  let generation = 0;
  return {
    get(authorization: string): Caller | undefined {
      const entry = known.get(headerHash(authorization));
      return entry && entry.until > Date.now() ? entry.caller : undefined;
    },
    /** Finds the caller for a header. Caches it, unless something has changed meanwhile. */
    async recognise(authorization: string, find: () => Promise<Recognised>): Promise<Caller> {
      const before = generation;
      const { caller, until } = await find();
      if (generation === before) {
        known.set(headerHash(authorization), { caller, until: Math.min(until, Date.now() + STALE_AFTER) });
      }
      return caller;
    },
    /** Clears the cache. Call it after any change to users, tokens, roles or permissions. */
    forget() {
      generation += 1;
      known.clear();
    },
  };
};
