import type { ExecutionResult, GraphQLError } from "graphql";

type Data = Record<string, unknown>;

/** A result whose data is text already, parsed only for who looks at it. */
export class WrittenResult implements ExecutionResult<Data> {
  readonly #text: string;
  readonly errors?: readonly GraphQLError[];
  #data: Data | null | undefined;

  constructor(text: string, errors: readonly GraphQLError[]) {
    this.#text = text;
    if (errors.length > 0) this.errors = errors;
  }

  get data(): Data | null {
    return (this.#data ??= JSON.parse(this.#text) as Data | null);
  }

  /** The data as text, with what was changed in it meanwhile. */
  get text(): string {
    return this.#data ? JSON.stringify(this.#data) : this.#text;
  }
}
