/** Text schemas that Zod does not have, or has with other rules. */
import { z } from "zod";
import { EMAIL } from "./email.ts";
import { pathText } from "./print.ts";

/** Lengths up to which all patterns match quickly, without slow ones and with them. */
const QUICK = { usual: 255, slow: 20 };

let quickLength = QUICK.usual;

/** A pattern that may take exponential time: from now on texts are matched within a limit of time unless they are short. */
export const slowPattern = (source: string): RegExp => {
  quickLength = QUICK.slow;
  return new RegExp(source);
};

/** Whether some pattern may take long to match the text. */
export const isSlowToMatch = (text: string): boolean => text.length > quickLength;

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
