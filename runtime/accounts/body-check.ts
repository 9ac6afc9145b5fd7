/** Checks of the small bodies of authentication: every problem at once, in the words that clients know. */
import { isRecord } from "../base/is-record.ts";
import { type FieldError, validationError } from "../schema/validation/check.ts";
import { isEmail } from "../schema/validation/email.ts";
import { notOfType } from "../schema/validation/messages.ts";

const problem = (path: readonly string[], message: string, value: unknown): FieldError => ({
  path,
  message,
  name: "ValidationError",
  ...(value === undefined ? {} : { value }),
});

/** The members of a body that is an object; nothing of any other. */
export const membersOf = (body: unknown): Readonly<Record<string, unknown>> => (isRecord(body) ? { ...body } : {});

/** Unknown members that a message lists. */
const MOST_NAMED = 100;

/** Reads members one by one, notes every problem, and tells them all when `done` is called. */
export class BodyReader {
  readonly #body: unknown;
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();
  readonly #problems: FieldError[] = [];

  /** `body` as it was parsed; undefined for a request without one. */
  constructor(body: unknown) {
    this.#body = body ?? {};
    this.#members = membersOf(body);
  }

  /** Notes what is wrong with a member, or with a part of one (`role.connect`); `message` goes on from its name. */
  refuse(name: string, message: string): void {
    this.refuseAs(name, `${name} ${message}`);
  }

  /** The same, with a message of its own. */
  refuseAs(name: string, message: string): void {
    const path = name.split(".");
    const value = path.reduce<unknown>((whole, part) => membersOf(whole)[part], this.#members);
    this.#problems.push(problem(path, message, value));
  }

  /** A member that has to be there as a text that is not empty; the empty text when it is not. */
  text(name: string): string {
    const value = this.#textOrEmpty(name);
    if (value === "" || this.#members[name] === undefined) this.refuse(name, "is a required field");
    return value ?? "";
  }

  /** A text that has to be there. The empty one is too short besides. */
  filledText(name: string): string {
    if (this.#members[name] === "") this.refuse(name, "must be at least 1 characters");
    return this.text(name);
  }

  /** A text that may be absent. */
  optionalText(name: string): string | undefined {
    return this.#members[name] === null ? undefined : this.#textOrEmpty(name);
  }

  /** A text that may be absent, but not empty. */
  changedText(name: string): string | undefined {
    const value = this.#textOrEmpty(name);
    if (value === "") this.refuse(name, "must be at least 1 characters");
    return value;
  }

  /** A member that has to be an e-mail address. */
  email(name: string): string {
    return this.#checkEmail(name, this.text(name));
  }

  /** An e-mail address that may be absent. */
  changedEmail(name: string): string | undefined {
    const value = this.changedText(name);
    return value === undefined ? undefined : this.#checkEmail(name, value);
  }

  /** Notes that a member is missing, unless it is there. */
  required(name: string): unknown {
    this.#read.add(name);
    const value = this.#members[name];
    if (value === undefined) this.refuse(name, "is a required field");
    return value;
  }

  /** Notes every member that was not read and is not in `others`. */
  nothingElse(others: readonly string[] = []): void {
    const surplus = Object.keys(this.#members).filter((name) => !this.#read.has(name) && !others.includes(name));
    if (surplus.length === 0) return;
    const named = surplus.slice(0, MOST_NAMED).join(", ");
    this.#problems.push(problem([], `this field has unspecified keys: ${named}`, this.#members));
  }

  /** Throws one ValidationError with every problem, if there was one. */
  done(): void {
    const problems = isRecord(this.#body)
      ? this.#problems
      : [problem([], notOfType("object", [], this.#body), this.#body)];
    if (problems.length > 0) throw validationError(problems);
  }

  /** A text, possibly empty; undefined when it is absent, and when it is something else, which is noted. */
  #textOrEmpty(name: string): string | undefined {
    this.#read.add(name);
    const value = this.#members[name];
    if (value === undefined || typeof value === "string") return value;
    this.refuseAs(name, notOfType("string", [name], value));
    return undefined;
  }

  #checkEmail(name: string, value: string): string {
    if (value !== "" && !isEmail(value)) this.refuse(name, "must be a valid email");
    return value;
  }
}
