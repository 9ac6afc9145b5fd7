import type { ExecutionResult, GraphQLError } from "graphql";
import type { Bytes } from "../../http/frame/read-text.ts";

type Data = Record<string, unknown>;

const HEAD = '{"data":';
const TAIL = "}";

/** The answer of nothing but data, which is text already. */
export const wholeOf = (data: string): string => `${HEAD}${data}${TAIL}`;

/** A result whose data is text already, parsed only for who looks at it. */
export class WrittenResult implements ExecutionResult<Data> {
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Data;
  readonly #written: string | Bytes;
  #data: Data | null | undefined;

  /** @param written the whole answer, as if there were nothing beside the data: made by {@link wholeOf} */
  constructor(written: string | Bytes, errors: readonly GraphQLError[] = []) {
    this.#written = written;
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
  get whole(): string | Bytes {
    return this.#data ? wholeOf(this.text) : this.#written;
  }

  get #dataText(): string {
    const written = this.#written;
    const text = typeof written === "string" ? written : Buffer.from(written.buffer).toString();
    return text.slice(HEAD.length, -TAIL.length);
  }
}
