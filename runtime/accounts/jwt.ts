/**
 * Signs and verifies the tokens of users, with a single fixed algorithm. The library is loaded on first use: many
 * servers only serve the public and API tokens.
 */
import { createSecretKey, type KeyObject } from "node:crypto";
import type { JWTPayload } from "jose";

const ALGORITHM = "HS256";

/** The claims of a token whose signature and expiry have been verified. */
export interface Claims {
  readonly userId: number;
  /** The user's token version at the time of issue. When it is raised, all earlier tokens become invalid. */
  readonly version: number;
  /** `legacy`: valid without a session. `access` and `refresh` belong to a session. */
  readonly type: "legacy" | "access" | "refresh";
  readonly sessionId?: string;
  /** The id of the refresh token within its session. */
  readonly refreshId?: string;
}

const payloadOf = ({ userId, version, type, sessionId, refreshId }: Claims): JWTPayload => ({
  ...(type === "legacy" ? { id: userId } : { userId: String(userId), sessionId, type }),
  ...(refreshId === undefined ? {} : { jti: refreshId }),
  // Omitted as long as it is 0, so that such a token has exactly the members that clients know.
  ...(version === 0 ? {} : { ver: version }),
});

const claimsOf = ({ id, userId, sessionId, type, jti, ver }: JWTPayload): Claims | undefined => {
  const version = ver ?? 0;
  if (typeof version !== "number") return undefined;
  if (type === undefined && typeof id === "number") return { userId: id, version, type: "legacy" };
  if ((type !== "access" && type !== "refresh") || typeof userId !== "string" || typeof sessionId !== "string") {
    return undefined;
  }
  return { userId: Number(userId), version, type, sessionId, ...(jti === undefined ? {} : { refreshId: jti }) };
};

/** Signs payloads with a key, and verifies those that it has signed. */
export const createSigner = (key: KeyObject) => ({
  async sign(payload: JWTPayload, lifespan: number): Promise<string> {
    const { SignJWT } = await import("jose/jwt/sign");
    return new SignJWT(payload)
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + lifespan)
      .sign(key);
  },
  /** The payload of a token; undefined if it is not ours, expired or malformed. */
  async verify(token: string): Promise<JWTPayload | undefined> {
    const { jwtVerify } = await import("jose/jwt/verify");
    try {
      return (await jwtVerify(token, key, { algorithms: [ALGORITHM], requiredClaims: ["exp"] })).payload;
    } catch {
      return undefined;
    }
  },
});

/** Creates the signer for tokens with `secret`. */
export const createJwt = (secret: string) => {
  const signer = createSigner(createSecretKey(Buffer.from(secret)));
  return {
    /** Issues a token that is valid for `lifespan` seconds. */
    sign: (claims: Claims, lifespan: number) => signer.sign(payloadOf(claims), lifespan),
    /**
     * The claims of a token, with its expiry in milliseconds since 1970; undefined if it is not ours, expired or
     * malformed.
     */
    async verify(token: string) {
      const payload = await signer.verify(token);
      const claims = payload && claimsOf(payload);
      return claims && { ...claims, until: (payload.exp ?? 0) * 1000 };
    },
  };
};
