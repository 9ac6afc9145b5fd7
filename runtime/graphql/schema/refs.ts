/** References to the types of one schema, by GraphQL name: types refer to one another before they are defined. */
import type { FieldMap } from "@pothos/core";
import type { Builder, InputFields, InputMembers, InputRef, ObjectFields, ObjectRef } from "../builder.ts";
import type { Node } from "../node.ts";

export class Refs {
  readonly #builder: Builder;
  readonly #refs = new Map<string, unknown>();

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  /** The types that were referred to so far. */
  get names(): readonly string[] {
    return [...this.#refs.keys()];
  }

  /** An object type that is defined elsewhere. */
  object(name: string): ObjectRef {
    return this.once(name, () => this.#builder.objectRef<Node>(name));
  }

  /** An object type, defined on first use: types that nothing refers to stay out of the schema. */
  define(
    name: string,
    fields: (t: ObjectFields) => FieldMap,
    options: { readonly extensions?: Readonly<Record<string, unknown>> } = {},
  ): ObjectRef {
    return this.once(
      name,
      () => this.#builder.objectRef<Node>(name),
      (ref) => ref.implement({ ...options, fields }),
    );
  }

  /** The same for an input type. */
  defineInput(name: string, fields: (t: InputFields, self: InputRef) => InputMembers): InputRef {
    return this.once(
      name,
      () => this.#builder.inputRef<Record<string, unknown>>(name),
      (ref) => ref.implement({ fields: (t) => fields(t, ref) }),
    );
  }

  /**
   * A type of another kind: an enum, a union, a scalar.
   *
   * @param complete is called with the reference when it is there, so that the type may refer to itself
   */
  once<Ref>(name: string, create: () => Ref, complete?: (ref: Ref) => void): Ref {
    if (!this.#refs.has(name)) {
      const ref = create();
      this.#refs.set(name, ref);
      complete?.(ref);
    }
    return this.#refs.get(name) as Ref;
  }
}
