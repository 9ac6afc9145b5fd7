/** The state of a login at a provider, and the user for the profile that comes back: found or created. */
import { createHmac, createSecretKey, randomInt } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Caller } from "../../access/caller.ts";
import { ApplicationError } from "../../base/errors.ts";
import { builder, requiredText, run } from "../../database/database.ts";
import { userIdentities } from "../../schema/tables/accounts.ts";
import { createSigner } from "../jwt.ts";
import type { AccountServices } from "../services.ts";
import { findTaken, findUserBy, type User } from "../users/user-store.ts";
import { createUser } from "../users/user-writes.ts";
import type { Profile } from "./providers.ts";

interface LoginState {
  readonly provider: string;
  readonly state: string;
  /** The PKCE code verifier; the provider was sent its hash. */
  readonly verifier: string;
}

export const STATE_COOKIE = "galley_provider_login";
/** Seconds that a login at the provider may take. */
export const STATE_LIFESPAN = 600;

/** A separate key, so that a login state is never accepted as a user's token. */
const signerOf = (secret: string) =>
  createSigner(createSecretKey(createHmac("sha256", secret).update("provider login").digest()));

export const sealState = (secret: string, { provider, state, verifier }: LoginState): Promise<string> =>
  signerOf(secret).sign({ provider, state, verifier }, STATE_LIFESPAN);

/** The state in a cookie; undefined if it is missing, forged or expired. */
export const openState = async (secret: string, sealed: string | undefined): Promise<LoginState | undefined> => {
  const { provider, state, verifier } = (sealed && (await signerOf(secret).verify(sealed))) || {};
  if (typeof provider !== "string" || typeof state !== "string" || typeof verifier !== "string") return undefined;
  return { provider, state, verifier };
};

const identify = (provider: string, subject: string) =>
  and(eq(userIdentities.provider, provider), eq(userIdentities.subject, subject));

const findKnown = async (services: AccountServices, provider: string, subject: string): Promise<User | undefined> => {
  const { userDocumentId } = userIdentities;
  const known = builder.select({ userDocumentId }).from(userIdentities).where(identify(provider, subject));
  const [row] = await run(services.database, known);
  return row && findUserBy(services, { documentId: requiredText(row[0]) });
};

/** Whether the user logs in at this provider but has no recorded identity there, as imported users do. */
const isUnclaimed = async ({ database }: AccountServices, user: User, provider: string): Promise<boolean> => {
  if (user.provider !== provider) return false;
  const { subject, userDocumentId } = userIdentities;
  const claims = builder.select({ subject }).from(userIdentities).where(eq(userDocumentId, user.documentId));
  return (await run(database, claims)).length === 0;
};

const claim = async ({ database }: AccountServices, user: User, provider: string, subject: string): Promise<User> => {
  await run(database, builder.insert(userIdentities).values({ provider, subject, userDocumentId: user.documentId }));
  return user;
};

const taken = (): ApplicationError => new ApplicationError("Email is already taken.");

/** A username similar to this one that is free, and is nobody's e-mail address. */
const freeName = async (services: AccountServices, username: string): Promise<string> => {
  const name = username.length < 3 ? username.padEnd(3, "_") : username;
  return (await findTaken(services, { names: [name], emails: [name] })) ? `${name}-${randomInt(1e6, 1e7)}` : name;
};

/**
 * The user for a profile; created if there is none yet. If another user already has the e-mail address, the login is
 * refused, because it may belong to a different person.
 */
export const userOfProfile = async (
  services: AccountServices,
  caller: Caller,
  provider: string,
  profile: Profile,
): Promise<User> => {
  const { subject, email, emailVerified } = profile;
  const known = await findKnown(services, provider, subject);
  if (known) return known;
  const { config, auth } = services;
  if (email === undefined || !emailVerified) throw new ApplicationError("Email was not available.");
  const namesake = await findTaken(services, { emails: [email] });
  if (namesake && !(await isUnclaimed(services, namesake, provider))) throw taken();
  if (namesake) return claim(services, namesake, provider, subject);
  const { enabled, defaultRole } = config.auth.register;
  if (!enabled) throw new ApplicationError("Register action is currently disabled");
  const role = auth.roles.byType(defaultRole);
  if (!role) throw new Error(`auth.register.defaultRole: there is no role "${defaultRole}".`);
  const username = await freeName(services, profile.username);
  const members = { username, email, provider, confirmed: true, blocked: false, role: role.documentId };
  return claim(services, await createUser(services, caller, members, taken), provider, subject);
};
