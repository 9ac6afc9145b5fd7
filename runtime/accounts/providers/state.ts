/** The login state in a cookie while the browser is at the provider: proves that the answer belongs to our request. */
import { createHmac } from "node:crypto";

export interface LoginState {
  readonly provider: string;
  readonly state: string;
  /** The PKCE code verifier; the provider was sent its hash. */
  readonly verifier: string;
}

export const STATE_COOKIE = "galley_provider_login";
/** Seconds that a login at the provider may take. */
export const STATE_LIFESPAN = 600;

const ALGORITHM = "HS256";

/** A separate key, so that a login state is never accepted as a user's token. */
const stateKey = (secret: string): Uint8Array => createHmac("sha256", secret).update("provider login").digest();

export const sealState = async (secret: string, { provider, state, verifier }: LoginState): Promise<string> => {
  const { SignJWT } = await import("jose/jwt/sign");
  return new SignJWT({ provider, state, verifier })
    .setProtectedHeader({ alg: ALGORITHM })
    .setExpirationTime(Math.floor(Date.now() / 1000) + STATE_LIFESPAN)
    .sign(stateKey(secret));
};

/** The state in a cookie; undefined if it is missing, forged or expired. */
export const openState = async (secret: string, sealed: string | undefined): Promise<LoginState | undefined> => {
  if (!sealed) return undefined;
  const { jwtVerify } = await import("jose/jwt/verify");
  try {
    const { payload } = await jwtVerify(sealed, stateKey(secret), { algorithms: [ALGORITHM] });
    const { provider, state, verifier } = payload;
    if (typeof provider !== "string" || typeof state !== "string" || typeof verifier !== "string") return undefined;
    return { provider, state, verifier };
  } catch {
    return undefined;
  }
};
