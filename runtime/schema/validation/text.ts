/** Text schemas that Zod does not have, or has with other rules. */
import { z } from "zod";
import { EMAIL } from "./email.ts";
import { pathText } from "./print.ts";

const anySlug = z.string().regex(/^[A-Za-z0-9-_.~]*$/);

/** The part of an address that identifies a document: letters, digits, `-`, `_`, `.` and `~`. */
export const slug = (): z.ZodString => anySlug;

const anyEmail = z.email({ pattern: EMAIL });

/** An e-mail address, by the same rule as everywhere in the server. */
export const email = (): z.ZodEmail => anyEmail;

/** bcrypt uses only 72 bytes, so longer passwords are refused. */
const PASSWORD_BYTES = 72;

const fitsHash = (value: string): boolean => new TextEncoder().encode(value).length <= PASSWORD_BYTES;

const anyPassword = z
  .string()
  .refine(fitsHash, { error: ({ path }) => `${pathText(path)} must be at most ${PASSWORD_BYTES} bytes` });

/** A password of at most 72 bytes. It is stored as a bcrypt hash, and never part of an answer. */
export const password = (): z.ZodString => anyPassword;
