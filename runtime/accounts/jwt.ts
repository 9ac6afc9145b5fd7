/** Signing and checking the tokens of users. One algorithm, named explicitly. */
import { createSecretKey } from "node:crypto";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";

const ALGORITHM = "HS256";

/** What a token says once its signature and life have been checked. */
export interface Claims {
  readonly userId: number;
  /** The version of the user's tokens that was current when it was issued. */
  readonly version: number;
  /** `legacy`: good by itself. `access` and `refresh` belong to a session. */
  readonly type: "legacy" | "access" | "refresh";
  readonly sessionId?: string;
  /** Which of the refresh tokens of its session it is. */
  readonly refreshId?: string;
}

/** Claims that were checked, and when the token ends, in milliseconds since 1970. */
export type CheckedClaims = Claims & { readonly until: number };

export interface Jwt {
  /** Issues a token that is good for some seconds. */
  sign(claims: Claims, lifespan: number): Promise<string>;
  /** The claims of a token; undefined when it is not ours, expired, or malformed. */
  verify(token: string): Promise<CheckedClaims | undefined>;
}

const payloadOf = ({ userId, version, type, sessionId, refreshId }: Claims): JWTPayload => ({
  ...(type === "legacy" ? { id: userId } : { userId: String(userId), sessionId, type }),
  ...(refreshId === undefined ? {} : { jti: refreshId }),
  // Left out at first, so that such a token has exactly the members that clients know.
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

/** Tokens signed with `secret`. */
export const createJwt = (secret: string): Jwt => {
  const key = createSecretKey(Buffer.from(secret));
  return {
    sign: (claims, lifespan) =>
      new SignJWT(payloadOf(claims))
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifespan)
        .sign(key),
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], requiredClaims: ["exp"] });
        const claims = claimsOf(payload);
        return claims && { ...claims, until: (payload.exp ?? 0) * 1000 };
      } catch {
        return undefined;
      }
    },
  };
};
