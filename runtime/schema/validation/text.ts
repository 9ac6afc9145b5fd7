/** Text schemas that Zod lacks, or has with other rules. */
import { z } from "zod";
import { EMAIL } from "./email.ts";
import { pathText } from "./print.ts";

/** Lengths up to which matching is fast: for ordinary patterns, and for those that may take exponential time. */
export const QUICK = { usual: 255, slow: 20 };

type Match = <Result>(work: () => Result) => Result;

let matchLong: Match = (work) => work();

/** Makes `match` match long texts, within a time limit. Front ends, which use the same schemas, need no limit. */
export const limitMatching = (match: Match): void => void (matchLong = match);

/** A pattern that matches texts over a certain length within a time limit. */
class Pattern extends RegExp {
  readonly #quick: number;

  constructor(source: string | RegExp, quick: number) {
    super(source);
    this.#quick = quick;
  }

  override exec(text: string): RegExpExecArray | null {
    const match = (): RegExpExecArray | null => super.exec(text);
    return text.length > this.#quick ? matchLong(match) : match();
  }
}

/** A pattern from a schema file. Texts come from strangers, so long ones are matched within a time limit. */
export const pattern = (source: string): RegExp => new Pattern(source, QUICK.usual);

/** The same for a pattern that may take exponential time: even short texts are matched within the limit. */
export const slowPattern = (source: string): RegExp => new Pattern(source, QUICK.slow);

const anySlug = z.string().regex(/^[A-Za-z0-9-_.~]*$/);

/** The part of an address that identifies a document: letters, digits, `-`, `_`, `.` and `~`. */
export const slug = (): z.ZodString => anySlug;

const anyEmail = z.email({ pattern: new Pattern(EMAIL, QUICK.usual) });

/** An e-mail address, by the same rule as everywhere in the server. */
export const email = (): z.ZodEmail => anyEmail;

/** bcrypt uses only 72 bytes, so longer passwords are refused. */
const PASSWORD_BYTES = 72;

const fitsHash = (value: string): boolean => new TextEncoder().encode(value).length <= PASSWORD_BYTES;

const anyPassword = z
  .string()
  .refine(fitsHash, { error: ({ path }) => `${pathText(path)} must be at most ${PASSWORD_BYTES} bytes` });

/** A password of at most 72 bytes. It is stored as a bcrypt hash, and never part of a response. */
export const password = (): z.ZodString => anyPassword;
