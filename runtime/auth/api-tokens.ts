/** Callers that carry an API token. */
import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.ts";
import { UnauthorizedError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Caller } from "./caller.ts";
import { type ApiToken, findApiToken, hashApiToken, touchApiToken } from "./token-store.ts";

const HOUR = 3_600_000;
/** A revoked token is refused everywhere after this many milliseconds, even when no notification arrived. */
const STALE_AFTER = 5_000;
const CHANNEL = "galley_api_tokens";

/** Tells every process that tokens were revoked. */
export const announceTokens = async (database: Database): Promise<void> => {
  await database.rows("select pg_notify($1, '')", [CHANNEL]);
};

/** What a token of each type may do. */
const rules: Readonly<Record<ApiToken["type"], (token: ApiToken) => Caller["can"]>> = {
  "full-access": () => () => true,
  "read-only": () => (action) => /\.(?:find|findOne)$/.test(action),
  custom: ({ permissions }) => {
    const granted = new Set(permissions);
    return (action) => granted.has(action);
  },
};

interface Known {
  readonly token: ApiToken;
  readonly caller: Caller;
  lastUsedAt: number;
}

export interface ApiTokens {
  /** The caller with this secret; undefined when it is no API token. An expired one is a 401. */
  caller(secret: string): Promise<Caller | undefined>;
  close(): Promise<void>;
}

/** Recognises API tokens, keeping those in use in memory. */
export const createApiTokens = async (database: Database, salt: string, log: Logger): Promise<ApiTokens> => {
  const known = new LRUCache<string, Known>({ max: 1000, ttl: STALE_AFTER });

  // What was read before a token was revoked must not be remembered after it.
  let generation = 0;
  const forget = (): void => {
    generation += 1;
    known.clear();
  };

  const find = async (hash: string): Promise<Known | undefined> => {
    const before = generation;
    const token = await findApiToken(database, hash);
    if (!token) return undefined;
    const found = {
      token,
      caller: { kind: "token", can: rules[token.type](token) } satisfies Caller,
      lastUsedAt: token.lastUsedAt?.getTime() ?? 0,
    };
    if (generation === before) known.set(hash, found);
    return found;
  };

  const touch = (entry: Known): void => {
    const now = Date.now();
    if (now - entry.lastUsedAt < HOUR) return;
    entry.lastUsedAt = now;
    touchApiToken(database, entry.token.id, new Date(now), new Date(now - HOUR)).catch((error: unknown) =>
      log.warn({ err: error }, "the use of an API token could not be noted"),
    );
  };

  const stop = await database.listen(CHANNEL, forget);
  return {
    async caller(secret) {
      const hash = hashApiToken(secret, salt);
      const entry = known.get(hash) ?? (await find(hash));
      if (!entry) return undefined;
      if (entry.token.expiresAt && entry.token.expiresAt.getTime() <= Date.now()) {
        throw new UnauthorizedError("Token expired");
      }
      touch(entry);
      return entry.caller;
    },
    close: stop,
  };
};
