/** API tokens: creation, listing, revocation, and identifying callers by them. */
import { createHmac, randomBytes } from "node:crypto";
import { asc, eq, isNull, lt, or, and, type SQL } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";
import { type FieldLists, keyOfToken } from "../access/field-lists.ts";
import type { RowAccessOf } from "../access/row-rules.ts";
import { ApplicationError, UnauthorizedError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import {
  builder,
  type Client,
  type Database,
  notify,
  type Reader,
  readerFor,
  run,
  selected,
  type Selected,
  type Session,
} from "../database/database.ts";
import { instantOf } from "../database/instants.ts";
import type { Act } from "../documents/acts.ts";
import { apiTokens } from "../schema/tables/accounts.ts";
import type { Recognised } from "./known-callers.ts";

export type ApiTokenType = "full-access" | "read-only" | "custom";

type ApiToken = ReturnType<typeof toToken>;

export interface NewApiToken {
  readonly name: string;
  readonly description?: string;
  readonly type: ApiTokenType;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
}

const { id, name, type, permissions, expiresAt, lastUsedAt } = apiTokens;
const columns = { id, name, type, permissions, expiresAt, lastUsedAt };

const isApiTokenType = (type: string): type is ApiTokenType =>
  type === "full-access" || type === "read-only" || type === "custom";

const toToken = ({ type, expiresAt, lastUsedAt, ...token }: Selected<typeof columns>) => {
  if (!isApiTokenType(type)) throw new Error(`The API token "${token.name}" has the unknown type "${type}".`);
  return { ...token, type, expiresAt: instantOf(expiresAt), lastUsedAt: instantOf(lastUsedAt) };
};

/** The keyed hash (HMAC, hex) that is stored in place of the secret. */
const hashApiToken = (secret: string, salt: string): string => createHmac("sha512", salt).update(secret).digest("hex");

/** Whether a credential has the form of an API token: 128 random bytes as hex. */
export const looksLikeApiToken = (credential: string): boolean => /^[0-9a-f]{256}$/.test(credential);

const newSecret = (): string => randomBytes(128).toString("hex");

const rowOf = (salt: string, secret: string, token: NewApiToken) => ({
  name: token.name,
  description: token.description ?? null,
  type: token.type,
  permissions: token.permissions,
  hash: hashApiToken(secret, salt),
  expiresAt: token.expiresAt?.toISOString() ?? null,
  createdAt: new Date().toISOString(),
});

/**
 * Stores a new token and returns its secret, of which only the hash is stored.
 *
 * @throws ApplicationError if there is a token with this name already
 */
export const createApiToken = async (database: Session, salt: string, token: NewApiToken): Promise<string> => {
  const secret = newSecret();
  const rows = await run(
    database,
    builder
      .insert(apiTokens)
      .values(rowOf(salt, secret, token))
      .onConflictDoNothing({ target: apiTokens.name })
      .returning({ id: apiTokens.id }),
  );
  if (rows.length === 0) throw new ApplicationError(`There is a token "${token.name}" already`);
  return secret;
};

/** Gives the token a new secret, and returns it; undefined if there is no token with this name. */
export const regenerateApiToken = async (
  database: Session,
  salt: string,
  name: string,
): Promise<string | undefined> => {
  const secret = newSecret();
  const rows = await run(
    database,
    builder
      .update(apiTokens)
      .set({ hash: hashApiToken(secret, salt), lastUsedAt: null })
      .where(eq(apiTokens.name, name))
      .returning({ id: apiTokens.id }),
  );
  return rows.length > 0 ? secret : undefined;
};

const defaultTokens: readonly NewApiToken[] = [
  { name: "Read Only", description: "Reads everything", type: "read-only", permissions: [], expiresAt: null },
  { name: "Full Access", description: "May do everything", type: "full-access", permissions: [], expiresAt: null },
];

/** Creates the default tokens if there are no tokens. Their secrets are unknown until they are regenerated. */
export const insertDefaultTokens = async (session: Session, salt: string): Promise<void> => {
  const [any] = await run(session, builder.select({ id: apiTokens.id }).from(apiTokens).limit(1));
  if (any) return;
  const rows = defaultTokens.map((token) => rowOf(salt, newSecret(), token));
  await run(session, builder.insert(apiTokens).values(rows).onConflictDoNothing());
};

/** What the audit log records of a token. */
export const tokenAct = (
  action: Extract<Act["action"], `token.${string}`>,
  { name, type, permissions, expiresAt }: Pick<NewApiToken, "name"> & Partial<NewApiToken>,
): Act => ({
  action,
  subject: { type: "token", id: name, name },
  details:
    type === undefined ? {} : { type, permissions: permissions ?? [], expiresAt: expiresAt?.toISOString() ?? null },
});

/** All tokens, in the order of their names. */
export const listApiTokens = async (database: Database): Promise<readonly ApiToken[]> => {
  const rows = builder.select(columns).from(apiTokens).orderBy(asc(name));
  return (await selected(database, columns, rows)).map(toToken);
};

/** Deletes a token; false if there is none with this name. */
export const revokeApiToken = async (database: Session, name: string): Promise<boolean> => {
  const rows = await run(
    database,
    builder.delete(apiTokens).where(eq(apiTokens.name, name)).returning({ id: apiTokens.id }),
  );
  return rows.length > 0;
};

const findApiToken = async (reader: Reader, where: SQL): Promise<ApiToken | undefined> => {
  const found = builder.select(columns).from(apiTokens).where(where);
  const [row] = await selected(reader, columns, found);
  return row && toToken(row);
};

/** Records the use of a token, unless another process has done so since `before`. */
const touchApiToken = async (database: Database, id: number, now: Date, before: Date): Promise<void> => {
  const unused = or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, before.toISOString()));
  await run(
    database,
    builder
      .update(apiTokens)
      .set({ lastUsedAt: now.toISOString() })
      .where(and(eq(apiTokens.id, id), unused)),
  );
};

const HOUR = 3_600_000;
const CHANNEL = "galley_api_tokens";

/** Notifies all processes that tokens were revoked. */
export const announceTokens = (database: Database): Promise<void> => notify(database, CHANNEL);

const everything = (): boolean => true;
const reading = (action: string): boolean => /\.(?:find|findOne)$/.test(action);

/** Most permission lists that are cached. */
const LISTS = 1000;

/** What the permissions of a token depend on. */
type Rights = Pick<NewApiToken, "type" | "permissions">;

/** Creates the permission checks of tokens; tokens with equal permissions share one function. */
export const createRights = (): ((token: Rights) => Caller["can"]) => {
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

  const rules: Readonly<Record<ApiTokenType, (token: Rights) => Caller["can"]>> = {
    "full-access": () => everything,
    "read-only": () => reading,
    custom: ({ permissions }) => granting(permissions),
  };
  return (token) => rules[token.type](token);
};

interface Options {
  readonly log: Logger;
  /** Called after tokens were revoked, in this or another process. */
  readonly changed: () => void;
  /** Attribute lists of tokens, by {@link keyOfToken}. */
  readonly fields: ReadonlyMap<string, FieldLists>;
  /** The documents that a token may act on, by the same key. */
  readonly rowsOf: RowAccessOf;
}

/** Recognises API tokens. */
export const createApiTokens = async (database: Database, salt: string, { log, changed, ...known }: Options) => {
  const touch = ({ id, lastUsedAt }: ApiToken): void => {
    const now = Date.now();
    if (lastUsedAt && now - lastUsedAt.getTime() < HOUR) return;
    touchApiToken(database, id, new Date(now), new Date(now - HOUR)).catch((error: unknown) =>
      log.warn({ err: error }, "could not record the use of an API token"),
    );
  };

  const canOf = createRights();
  const callerOf = (token: ApiToken): Recognised => {
    const until = token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (until <= Date.now()) throw new UnauthorizedError("Token expired");
    const key = keyOfToken(token.name);
    const [fields, rows] = [known.fields.get(key), known.rowsOf(key)];
    const limits = { ...(fields ? { fields } : {}), ...(rows ? { rows } : {}) };
    return { caller: { kind: "token", tokenId: token.id, can: canOf(token), ...limits }, until };
  };
  const stop = await database.listen(CHANNEL, changed);
  return {
    /** The caller with the token of this id; undefined if it was revoked. Throws a 401 for an expired token. */
    async byId(id: number): Promise<Caller | undefined> {
      const token = await findApiToken(database, eq(apiTokens.id, id));
      return token && callerOf(token).caller;
    },
    /** The caller with this secret; undefined if it is not an API token. Throws a 401 for an expired token. */
    async recognise(secret: string, client?: Client): Promise<Recognised | undefined> {
      const token = await findApiToken(readerFor(database, client), eq(apiTokens.hash, hashApiToken(secret, salt)));
      if (!token) return undefined;
      const recognised = callerOf(token);
      touch(token);
      return recognised;
    },
    close: stop,
  };
};
