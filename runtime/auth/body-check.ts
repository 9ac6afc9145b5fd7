/** Checks of the small bodies of authentication: every problem at once, in the words that clients know. */
import { ValidationError } from "../errors.ts";

interface Problem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  readonly value?: unknown;
}

const problem = (path: string, message: string, value: unknown): Problem => ({
  path: [path],
  message,
  name: "ValidationError",
  ...(value === undefined ? {} : { value }),
});

/** How messages show a value: text in quotes, everything else as JSON. */
const shown = (value: unknown): string => JSON.stringify(value, null, 2);

const wrongType = (name: string, type: string, value: unknown): string =>
  `${name} must be a \`${type}\` type, but the final value was: \`${shown(value)}\`.`;

const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)*\.[^\s@<>()[\],;:"\\.]{2,}$/;

/** Whether a text is an e-mail address, as far as its form tells. */
export const isEmail = (text: string): boolean => text.length <= 320 && EMAIL.test(text);

/** The members of a body that is an object; nothing of any other. */
export const membersOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};

/** Reads members one by one, notes every problem, and tells them all when `done` is called. */
export class BodyReader {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #problems: Problem[] = [];

  constructor(body: unknown) {
    this.#members = membersOf(body);
  }

  #refuse(name: string, message: string): void {
    this.#problems.push(problem(name, message, this.#members[name]));
  }

  /** A member that has to be there as a text that is not empty. */
  text(name: string): string {
    const value = this.#members[name];
    if (typeof value === "string" && value !== "") return value;
    if (value === undefined || value === null || value === "") this.#refuse(name, `${name} is a required field`);
    else this.#refuse(name, wrongType(name, "string", value));
    return "";
  }

  /** A text that may be absent. */
  optionalText(name: string): string | undefined {
    const value = this.#members[name];
    if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
    this.#refuse(name, wrongType(name, "string", value));
    return undefined;
  }

  /** A member that has to be an e-mail address; given back in lower case. */
  email(name: string): string {
    const value = this.text(name);
    if (value !== "" && !isEmail(value)) this.#refuse(name, `${name} must be a valid email`);
    return value.toLowerCase();
  }

  /** Notes that a member is missing, unless it is there. */
  required(name: string): unknown {
    const value = this.#members[name];
    if (value === undefined || value === null) this.#refuse(name, `${name} is a required field`);
    return value;
  }

  /** Throws one ValidationError with every problem, if there was one. */
  done(): void {
    const [first] = this.#problems;
    if (!first) return;
    const message = this.#problems.length === 1 ? first.message : `${this.#problems.length} errors occurred`;
    throw new ValidationError(message, { errors: this.#problems });
  }
}
