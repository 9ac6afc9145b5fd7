/** Loads the password-hashing library with the first password, since it is native code. */
export const loadBcrypt = async () => (await import("bcrypt")).default;
