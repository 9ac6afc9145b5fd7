/** Checks the bodies of authentication requests: reports every fault at once, with the messages that clients know. */
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

/** The members of a body; none if it is not an object. */
export const membersOf = (body: unknown): Readonly<Record<string, unknown>> => (isRecord(body) ? { ...body } : {});

/** Most unknown members that a message lists. */
const MOST_NAMED = 100;

/** Reads members one by one and collects every fault; `done` throws them all. */
export class BodyReader {
  readonly #body: unknown;
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();
  readonly #problems: FieldError[] = [];

  /** @param body the parsed body; undefined for a request without one */
  constructor(body: unknown) {
    this.#body = body ?? {};
    this.#members = membersOf(body);
  }

  /** Adds a fault of a member, or of a part of one (`role.connect`). `message` continues after its name. */
  refuse(name: string, message: string): void {
    this.refuseAs(name, `${name} ${message}`);
  }

  /** Adds a fault with a complete message. */
  refuseAs(name: string, message: string): void {
    const path = name.split(".");
    const value = path.reduce<unknown>((whole, part) => membersOf(whole)[part], this.#members);
    this.#problems.push(problem(path, message, value));
  }

  /** A required text that must not be empty; returns the empty text after adding a fault. */
  text(name: string): string {
    const value = this.#textOrEmpty(name);
    if (value === "" || this.#members[name] === undefined) this.refuse(name, "is a required field");
    return value ?? "";
  }

  /** A required text. If it is empty, this also reports that it is too short. */
  filledText(name: string): string {
    if (this.#members[name] === "") this.refuse(name, "must be at least 1 characters");
    return this.text(name);
  }

  /** An optional text. */
  optionalText(name: string): string | undefined {
    return this.#members[name] === null ? undefined : this.#textOrEmpty(name);
  }

  /** An optional text that must not be empty. */
  changedText(name: string): string | undefined {
    const value = this.#textOrEmpty(name);
    if (value === "") this.refuse(name, "must be at least 1 characters");
    return value;
  }

  /** A required e-mail address. */
  email(name: string): string {
    return this.#checkEmail(name, this.text(name));
  }

  /** An optional e-mail address. */
  changedEmail(name: string): string | undefined {
    const value = this.changedText(name);
    return value === undefined ? undefined : this.#checkEmail(name, value);
  }

  /** Adds a fault if a member is missing. */
  required(name: string): unknown {
    this.#read.add(name);
    const value = this.#members[name];
    if (value === undefined) this.refuse(name, "is a required field");
    return value;
  }

  /** Adds a fault for members that were not read and are not in `others`. */
  nothingElse(others: readonly string[] = []): void {
    const surplus = Object.keys(this.#members).filter((name) => !this.#read.has(name) && !others.includes(name));
    if (surplus.length === 0) return;
    const named = surplus.slice(0, MOST_NAMED).join(", ");
    this.#problems.push(problem([], `this field has unspecified keys: ${named}`, this.#members));
  }

  /** Throws a ValidationError with every fault, if there are any. */
  done(): void {
    const problems = isRecord(this.#body)
      ? this.#problems
      : [problem([], notOfType("object", [], this.#body), this.#body)];
    if (problems.length > 0) throw validationError(problems);
  }

  /** A text, which may be empty; undefined if it is missing. Other values are faults. */
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
