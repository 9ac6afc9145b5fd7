/** Recognises callers with an API token. */
import { LRUCache } from "lru-cache";
import type { Caller } from "../../access/caller.ts";
import { type FieldLists, listsKeyOfToken } from "../../access/field-lists.ts";
import { UnauthorizedError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../database/database.ts";
import type { Recognised } from "../known-callers.ts";
import { type ApiToken, findApiToken, hashApiToken, touchApiToken } from "./token-store.ts";

const HOUR = 3_600_000;
const CHANNEL = "galley_api_tokens";

/** Notifies all processes that tokens were revoked. */
export const announceTokens = async (database: Database): Promise<void> => {
  await database.rows("select pg_notify($1, '')", [CHANNEL]);
};

const everything = (): boolean => true;
const reading = (action: string): boolean => /\.(?:find|findOne)$/.test(action);

/** Most permission lists that are remembered. */
const LISTS = 1000;

/** Creates the permission checks of tokens; tokens with equal permissions share one function. */
const createRights = (): ((token: ApiToken) => Caller["can"]) => {
  const custom = new LRUCache<string, Caller["can"]>({ max: LISTS });

  const granting = (permissions: readonly string[]): Caller["can"] => {
    const key = JSON.stringify(permissions.toSorted());
    let can = custom.get(key);
    if (can === undefined) {
      const granted = new Set(permissions);
      can = (action) => granted.has(action);
      custom.set(key, can);
    }
    return can;
  };

  const rules: Readonly<Record<ApiToken["type"], (token: ApiToken) => Caller["can"]>> = {
    "full-access": () => everything,
    "read-only": () => reading,
    custom: ({ permissions }) => granting(permissions),
  };
  return (token) => rules[token.type](token);
};

export interface ApiTokens {
  /** The caller with this secret; undefined if it is not an API token. Throws a 401 for an expired token. */
  recognise(secret: string): Promise<Recognised | undefined>;
  close(): Promise<void>;
}

interface Options {
  readonly log: Logger;
  /** Called after tokens were revoked, in this or another process. */
  readonly changed: () => void;
  /** Attribute lists of tokens, by {@link listsKeyOfToken}. */
  readonly fields: ReadonlyMap<string, FieldLists>;
}

/** Recognises API tokens. */
export const createApiTokens = async (
  database: Database,
  salt: string,
  { log, changed, fields }: Options,
): Promise<ApiTokens> => {
  const touch = ({ id, lastUsedAt }: ApiToken): void => {
    const now = Date.now();
    if (lastUsedAt && now - lastUsedAt.getTime() < HOUR) return;
    touchApiToken(database, id, new Date(now), new Date(now - HOUR)).catch((error: unknown) =>
      log.warn({ err: error }, "the use of an API token could not be noted"),
    );
  };

  const canOf = createRights();
  const stop = await database.listen(CHANNEL, changed);
  return {
    async recognise(secret) {
      const token = await findApiToken(database, hashApiToken(secret, salt));
      if (!token) return undefined;
      const until = token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
      if (until <= Date.now()) throw new UnauthorizedError("Token expired");
      touch(token);
      const lists = fields.get(listsKeyOfToken(token.name));
      const caller: Caller = { kind: "token", can: canOf(token), ...(lists ? { fields: lists } : {}) };
      return { caller, until };
    },
    close: stop,
  };
};
