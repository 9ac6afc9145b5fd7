import type { ExecutionResult, GraphQLError } from "graphql";

type Data = Record<string, unknown>;

const HEAD = '{"data":';
const TAIL = "}";

/** The answer of nothing but data, which is text already. */
export const wholeOf = (data: string): string => `${HEAD}${data}${TAIL}`;

/** A result whose data is text already, parsed only for who looks at it. */
export class WrittenResult implements ExecutionResult<Data> {
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Data;
  /** Whether it was read from nothing but the database. */
  readonly isStorable: boolean;
  readonly #written: string;
  #data: Data | null | undefined;

  /** @param written the whole answer, as if there were nothing beside the data: made by {@link wholeOf} */
  constructor(written: string, errors: readonly GraphQLError[], isStorable: boolean) {
    this.#written = written;
    this.isStorable = isStorable && errors.length === 0;
    if (errors.length > 0) this.errors = errors;
  }

  get data(): Data | null {
    return (this.#data ??= JSON.parse(this.#dataText) as Data | null);
  }

  /** The data as text, with what was changed in it meanwhile. */
  get text(): string {
    return this.#data ? JSON.stringify(this.#data) : this.#dataText;
  }

  /** The answer of nothing but the data. */
  get whole(): string {
    return this.#data ? wholeOf(this.text) : this.#written;
  }

  get #dataText(): string {
    return this.#written.slice(HEAD.length, -TAIL.length);
  }
}
