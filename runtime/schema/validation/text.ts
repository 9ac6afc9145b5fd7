/** Texts that Zod has no word for, or another rule. */
import { z } from "zod";
import { EMAIL } from "./email.ts";
import { mark } from "./kinds.ts";

/** The part of an address that names a document: letters, digits, `-`, `_`, `.` and `~`. */
export const slug = (): z.ZodString => z.string().regex(/^[A-Za-z0-9-_.~]*$/);

/** A mail address, by the same rule as everywhere in the server. */
export const email = (): z.ZodEmail => z.email({ pattern: EMAIL });

/** bcrypt looks at 72 bytes only, so anything beyond them would be ignored silently. */
const PASSWORD_BYTES = 72;

export const fitsHash = (value: unknown): boolean =>
  typeof value !== "string" || new TextEncoder().encode(value).length <= PASSWORD_BYTES;

/** Stored as a bcrypt hash, and never answered. At most 72 bytes. */
export const password = (): z.ZodString =>
  mark(z.string().refine(fitsHash, { error: "Must be at most 72 bytes" }), { kind: "password" });
