/** The login state in a cookie while the browser is at the provider: proves that a response belongs to our request. */
import { createHmac, createSecretKey } from "node:crypto";
import { createSigner } from "../jwt.ts";

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
