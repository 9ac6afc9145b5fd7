import type { ExecutionResult, GraphQLError } from "graphql";

type Data = Record<string, unknown>;

/** A result whose data is text already, parsed only for plugins that look at it. */
export class WrittenResult implements ExecutionResult<Data> {
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Data;
  /** Whether it was read from nothing but the database. */
  readonly isStorable: boolean;
  readonly #written: string;
  #data: Data | null | undefined;

  constructor(written: string, errors: readonly GraphQLError[], isStorable: boolean) {
    this.#written = written;
    this.isStorable = isStorable && errors.length === 0;
    if (errors.length > 0) this.errors = errors;
  }

  get data(): Data | null {
    return (this.#data ??= JSON.parse(this.#written) as Data | null);
  }

  /** The data as text, with what plugins have changed in it. */
  get text(): string {
    return this.#data ? JSON.stringify(this.#data) : this.#written;
  }
}
