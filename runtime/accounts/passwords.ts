import { randomBytes } from "node:crypto";
import bcrypt from "bcrypt";
import type { Config } from "../config/config.ts";

/** bcrypt reads no further, so a longer password would be cut silently. */
const MOST_BYTES = 72;

/** How hashes begin that are made here, which are never of longer passwords. Those of other servers may be. */
const OWN = "$2b$";

export interface Passwords {
  /** Whether the password is the one behind the hash. Without a hash it takes as long, and is false. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
  /** What is wrong with a new password: it is too long, or the configured check does not like it. */
  faultOf(password: string): Promise<string | undefined>;
}

export const createPasswords = ({ rounds, validate }: Config["auth"]["passwords"]): Passwords => {
  let unknown: Promise<string> | undefined;
  return {
    async matches(password, hash) {
      // Comparing with the hash of nobody's password keeps the time from telling whether a user exists.
      unknown ??= bcrypt.hash(randomBytes(32).toString("hex"), rounds);
      const matches = await bcrypt.compare(password, hash ?? (await unknown));
      if (!matches || typeof hash !== "string") return false;
      return Buffer.byteLength(password) <= MOST_BYTES || !hash.startsWith(OWN);
    },
    async faultOf(password) {
      if (Buffer.byteLength(password) > MOST_BYTES) return "Password must be less than 73 bytes";
      const verdict = validate ? await validate(password) : true;
      if (verdict === true) return undefined;
      return typeof verdict === "string" ? verdict : "Password validation failed.";
    },
  };
};

/** The bcrypt hash of a password that has been checked. */
export const hashPassword = (password: string, rounds: number): Promise<string> => bcrypt.hash(password, rounds);
