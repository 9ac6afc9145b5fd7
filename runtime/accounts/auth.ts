/** Determines the caller from the Authorization header. */
import { type Caller, system } from "../access/caller.ts";
import { createFieldLists, type FieldLists, restrictionsOfNobody } from "../access/field-lists.ts";
import { createRowAccess, type RowAccessOf } from "../access/row-rules.ts";
import { UnauthorizedError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { RuleUser } from "../config/permissions.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Client, Database } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";
import { createApiTokens, listApiTokens, looksLikeApiToken } from "./api-tokens.ts";
import { createJwt, type Claims } from "./jwt.ts";
import { createKnownCallers, type Recognised } from "./known-callers.ts";
import { createPasswords } from "./passwords.ts";
import { createProviders } from "./providers/providers.ts";
import { createRateLimit } from "./rate-limit.ts";
import { demandOtherDefaultRole } from "./roles/everything.ts";
import { prepareFirstStart, createRoles, type Role, type Roles } from "./roles/roles.ts";
import { type Account, type Accounts, createAccounts } from "./users/accounts.ts";

export type Auth = Awaited<ReturnType<typeof createAuth>>;

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly secrets: Secrets;
  readonly log: Logger;
}

const missing = (): UnauthorizedError => new UnauthorizedError("Missing or invalid credentials");

const bearer = (authorization: string): string | undefined => {
  const [scheme, token, ...rest] = authorization.trim().split(/\s+/);
  return scheme?.toLowerCase() === "bearer" && rest.length === 0 ? token : undefined;
};

interface Known {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly roles: Roles;
  readonly fields: ReadonlyMap<string, FieldLists>;
  readonly rowsOf: RowAccessOf;
}

type Rights = Pick<Caller, "roleId" | "fields" | "rows" | "can">;

/** What a caller gets from a role. */
const rightsOf = ({ fields, rowsOf }: Known, role: Role | undefined, user?: RuleUser): Rights => {
  if (!role) return { can: () => false };
  const lists = fields.get(role.type);
  const rows = rowsOf(role.type, user);
  return { roleId: role.id, ...(lists ? { fields: lists } : {}), ...(rows ? { rows } : {}), can: role.can };
};

/** A caller who is not logged in, with the permissions of the public role. */
const visitor = (known: Known): Caller | undefined => {
  const role = known.roles.byType("public");
  return role && role.actions.size > 0 ? { kind: "public", ...rightsOf(known, role) } : undefined;
};

const demandVisitor = (known: Known): Caller => {
  const caller = visitor(known);
  if (!caller) throw missing();
  return caller;
};

/** Identifies the caller of an earlier request. */
export interface EarlierCaller {
  readonly kind: Caller["kind"];
  readonly userId?: number | undefined;
  readonly tokenId?: number | undefined;
}

/** The account of a user who may log in. */
const usableAccount = async ({ accounts, config }: Known, userId: number, client?: Client): Promise<Account> => {
  const account = await accounts.find(userId, client);
  if (account && !account.blocked && (account.confirmed || !config.auth.register.confirmEmail)) return account;
  throw new UnauthorizedError("Invalid credentials");
};

const callerOfAccount = (known: Known, userId: number, account: Account): Caller => {
  const { documentId, roleDocumentId } = account;
  const role = roleDocumentId === null ? undefined : known.roles.byDocumentId(roleDocumentId);
  const rights = rightsOf(known, role, { id: userId, documentId });
  return { kind: "user", userId, userDocumentId: documentId, ...rights };
};

const callerAgain =
  (known: Known, tokens: Awaited<ReturnType<typeof createApiTokens>>) =>
  async ({ kind, userId, tokenId }: EarlierCaller): Promise<Caller> => {
    if (kind === "system") return system;
    if (userId !== undefined) return callerOfAccount(known, userId, await usableAccount(known, userId));
    const caller = tokenId === undefined ? visitor(known) : await tokens.byId(tokenId);
    if (!caller) throw missing();
    return caller;
  };

/** The user in the claims of a verified token, if the token is still valid. */
const userOf = async (known: Known, claims: Claims, client?: Client): Promise<Caller> => {
  const { userId, sessionId, version } = claims;
  if (claims.type !== (known.config.auth.jwt.mode === "legacy" ? "legacy" : "access")) throw missing();
  const account = await usableAccount(known, userId, client);
  if (account.tokenVersion !== version) throw new UnauthorizedError("Invalid credentials");
  if (sessionId !== undefined && !(await known.accounts.isOpen(sessionId, account.documentId, client))) {
    throw new UnauthorizedError("Invalid credentials");
  }
  return { ...callerOfAccount(known, userId, account), ...(sessionId === undefined ? {} : { sessionId }) };
};

/**
 * Warns about attribute lists and rules for roles or tokens that do not exist: probably typos, so that they fail to hide
 * what they should.
 */
const warnOfLists = async (
  { config, database, log }: Pick<Parts, "config" | "database" | "log">,
  roles: Roles,
): Promise<void> => {
  const isNone = [config.fields, config.permissions].every((each) => Object.keys(each).length === 0);
  if (isNone) return;
  const tokens = (await listApiTokens(database)).map(({ name }) => name);
  for (const message of restrictionsOfNobody(config, { roles: roles.all().map(({ type }) => type), tokens }))
    log.warn(message);
};

/**
 * Sets up authentication: creates the built-in roles and default tokens at the first start, loads the roles, and
 * listens for changes.
 */
export const createAuth = async ({ config, database, registry, secrets, log }: Parts) => {
  await prepareFirstStart(database, registry, secrets.tokenSalt);
  const callers = createKnownCallers();
  const changed = (): void => callers.forget();
  const roles = await createRoles(database, registry, { log, reloaded: changed });
  demandOtherDefaultRole(config, roles);
  const limits = { fields: createFieldLists(config, registry), rowsOf: createRowAccess(config) };
  const tokens = await createApiTokens(database, secrets.tokenSalt, { log, changed, ...limits });
  const accounts = await createAccounts(database, registry, changed);
  const jwt = createJwt(secrets.jwt);
  const known: Known = { config, accounts, roles, ...limits };
  await warnOfLists({ config, database, log }, roles);

  const recognise = async (credential: string, client?: Client): Promise<Recognised> => {
    const service = looksLikeApiToken(credential) ? await tokens.recognise(credential, client) : undefined;
    if (service) return service;
    const claims = await jwt.verify(credential);
    if (!claims) throw missing();
    return { caller: await userOf(known, claims, client), until: claims.until };
  };

  return {
    roles,
    accounts,
    jwt,
    passwords: createPasswords(config.auth.passwords),
    providers: createProviders(config),
    rateLimit: createRateLimit(config.auth.rateLimit, database),
    /**
     * The caller for an Authorization header. A header that is not a bearer token is treated as missing. An invalid token
     * is a 401; such a request is never handled as one of the public.
     *
     * @param client the client that waits, for which the caller is looked up
     */
    authenticate(authorization: string | undefined, client?: Client): Caller | Promise<Caller> {
      if (authorization === undefined) return demandVisitor(known);
      const caller = callers.get(authorization);
      if (caller) return caller;
      const credential = bearer(authorization);
      if (credential === undefined) return demandVisitor(known);
      return callers.recognise(authorization, () => recognise(credential, client));
    },
    /**
     * The caller of an earlier request with current permissions. Throws a 401 if the user may no longer log in, or the
     * token was revoked or has expired.
     */
    again: callerAgain(known, tokens),
    /** The same caller, if known without asking the database; undefined otherwise. */
    known: (authorization: string | undefined): Caller | undefined =>
      authorization === undefined ? visitor(known) : callers.get(authorization),
    close: async (): Promise<void> => void (await Promise.all([roles.close(), tokens.close(), accounts.close()])),
  };
};
