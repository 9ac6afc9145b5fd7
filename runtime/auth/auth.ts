/** From the Authorization header to the caller. */
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { UnauthorizedError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Registry } from "../services.ts";
import { createApiTokens } from "./api-tokens.ts";
import type { Caller } from "./caller.ts";
import { ensureRoles } from "./role-store.ts";
import { createRoles, type Role, type Roles } from "./roles.ts";
import { looksLikeApiToken } from "./token-store.ts";

/** Keys that only this application knows. */
export interface Secrets {
  readonly jwt: string;
  readonly tokenSalt: string;
}

export interface Auth {
  readonly roles: Roles;
  /**
   * The caller with this Authorization header. A header that is no bearer token counts as none; a token that is not
   * valid is a 401, and never the public.
   */
  authenticate(authorization: string | undefined): Caller | Promise<Caller>;
  close(): Promise<void>;
}

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly registry: Registry;
  readonly secrets: Secrets;
  readonly log: Logger;
}

const missing = (): UnauthorizedError => new UnauthorizedError("Missing or invalid credentials");

const bearer = (authorization: string | undefined): string | undefined => {
  const [scheme, token, ...rest] = authorization?.trim().split(/\s+/) ?? [];
  return scheme?.toLowerCase() === "bearer" && rest.length === 0 ? token : undefined;
};

/** A caller with the permissions of a role. */
const callerOf = (kind: Caller["kind"], role: Role): Caller => ({
  kind,
  roleId: role.id,
  can: (action) => role.actions.has(action),
});

/** Sets up authentication: makes the built-in roles where there are none, reads the roles, and listens for changes. */
export const createAuth = async ({ database, registry, secrets, log }: Parts): Promise<Auth> => {
  await ensureRoles(database, registry);
  const roles = await createRoles(database, registry, log);
  const tokens = await createApiTokens(database, secrets.tokenSalt, log);

  const visitor = (): Caller => {
    const role = roles.byType("public");
    if (!role || role.actions.size === 0) throw missing();
    return callerOf("public", role);
  };
  const holder = async (credential: string): Promise<Caller> => {
    const caller = looksLikeApiToken(credential) ? await tokens.caller(credential) : undefined;
    if (!caller) throw missing();
    return caller;
  };

  return {
    roles,
    authenticate(authorization) {
      const credential = bearer(authorization);
      return credential === undefined ? visitor() : holder(credential);
    },
    async close() {
      await Promise.all([roles.close(), tokens.close()]);
    },
  };
};
