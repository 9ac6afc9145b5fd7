/** What a browser carries while it is away at a provider: proof that the answer belongs to the question. */
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";

export interface LoginState {
  readonly provider: string;
  readonly state: string;
  /** The PKCE secret, whose hash the provider was told. */
  readonly verifier: string;
}

export const STATE_COOKIE = "galley_provider_login";
/** Seconds in which somebody has to log in at the provider. */
export const STATE_LIFESPAN = 600;

const ALGORITHM = "HS256";

/** A key of its own, so that such a state is never taken for the token of a user. */
const stateKey = (secret: string): Uint8Array => createHmac("sha256", secret).update("provider login").digest();

export const sealState = (secret: string, { provider, state, verifier }: LoginState): Promise<string> =>
  new SignJWT({ provider, state, verifier })
    .setProtectedHeader({ alg: ALGORITHM })
    .setExpirationTime(Math.floor(Date.now() / 1000) + STATE_LIFESPAN)
    .sign(stateKey(secret));

/** The state in a cookie; undefined when it is missing, made up or expired. */
export const openState = async (secret: string, sealed: string | undefined): Promise<LoginState | undefined> => {
  if (!sealed) return undefined;
  try {
    const { payload } = await jwtVerify(sealed, stateKey(secret), { algorithms: [ALGORITHM] });
    const { provider, state, verifier } = payload;
    if (typeof provider !== "string" || typeof state !== "string" || typeof verifier !== "string") return undefined;
    return { provider, state, verifier };
  } catch {
    return undefined;
  }
};
