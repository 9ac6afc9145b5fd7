/** The reads of one operation: fields that ask for the same under several names have one between them. */
import type { ReadingContext } from "../context.ts";
import type { Arguments, Found } from "../operations/operations.ts";
import { IDENTITY } from "../operations/reads.ts";
import type { PreparedField } from "./prepared-query.ts";

interface Read {
  readonly field: PreparedField;
  /** What makes two reads of one plan differ. */
  readonly values: string;
  readonly found: Promise<Found>;
}

export class SharedReads {
  readonly #context: ReadingContext;
  readonly #reads: Read[] = [];

  constructor(context: ReadingContext) {
    this.#context = context;
  }

  /** What a field has read: anew, unless another field has asked for the same. */
  of(field: PreparedField, args: Arguments): Promise<Found> {
    const { prepared, root } = field;
    const { parameters, page } = prepared.checked;
    const values = JSON.stringify([parameters, page, [...IDENTITY].map((name) => args[name])]);
    const known = this.#reads.find(
      (read) => read.field.root === root && read.field.prepared.plan === prepared.plan && read.values === values,
    );
    if (known) return known.found;
    const found = root.read(prepared, args, this.#context);
    this.#reads.push({ field, values, found });
    return found;
  }
}
