/** Loads the library that hashes passwords with the first password, since it is native code. */
export const loadBcrypt = async () => (await import("bcrypt")).default;
