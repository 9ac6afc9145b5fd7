/** Encryption of exports: the whole archive with AES-128-ECB, with a key that scrypt derives from the password. */
import { createCipheriv, createDecipheriv, scryptSync } from "node:crypto";

const ALGORITHM = "aes-128-ecb";
const keyOf = (password: string): Buffer => scryptSync(password, "", 16);

export const cipherOf = (password: string) => createCipheriv(ALGORITHM, keyOf(password), null);
export const decipherOf = (password: string) => createDecipheriv(ALGORITHM, keyOf(password), null);
