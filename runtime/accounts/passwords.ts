import { randomBytes } from "node:crypto";
import { loadBcrypt } from "../base/bcrypt.ts";
import type { Config } from "../config/config.ts";

/** bcrypt ignores all bytes after these, so longer passwords are refused. */
const MOST_BYTES = 72;

/** The prefix of hashes made here, never from longer passwords. Imported hashes may be from longer ones. */
const OWN = "$2b$";

export type Passwords = ReturnType<typeof createPasswords>;

export const createPasswords = ({ rounds, validate }: Config["auth"]["passwords"]) => {
  let unknown: Promise<string> | undefined;
  return {
    /** Whether the password matches the hash. Without a hash the result is false, but takes the same time. */
    async matches(password: string, hash: string | null | undefined): Promise<boolean> {
      const bcrypt = await loadBcrypt();
      // If the user does not exist, compares with the hash of a random password, so that the time does not reveal
      // whether a user exists.
      unknown ??= bcrypt.hash(randomBytes(32).toString("hex"), rounds);
      const matches = await bcrypt.compare(password, hash ?? (await unknown));
      if (!matches || typeof hash !== "string") return false;
      return Buffer.byteLength(password) <= MOST_BYTES || !hash.startsWith(OWN);
    },
    /** The fault of a new password: too long, or refused by the configured check. */
    async faultOf(password: string): Promise<string | undefined> {
      if (Buffer.byteLength(password) > MOST_BYTES) return "Password must be less than 73 bytes";
      const verdict = validate ? await validate(password) : true;
      if (verdict === true) return undefined;
      return typeof verdict === "string" ? verdict : "Password validation failed.";
    },
  };
};
