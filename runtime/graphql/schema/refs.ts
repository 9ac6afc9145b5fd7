/** References to the types of one schema, by GraphQL name: types are referred to before, and whether or not, they are implemented. */
import type { Builder, InputRef, ObjectRef } from "../builder.ts";
import type { Node } from "../node.ts";

export class Refs {
  readonly #builder: Builder;
  readonly #objects = new Map<string, ObjectRef>();
  readonly #inputs = new Map<string, InputRef>();
  readonly #others = new Map<string, unknown>();

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  /** The types that were referred to so far. */
  get names(): readonly string[] {
    return [...this.#objects.keys(), ...this.#inputs.keys(), ...this.#others.keys()];
  }

  object(name: string): ObjectRef {
    const known = this.#objects.get(name);
    if (known) return known;
    const ref = this.#builder.objectRef<Node>(name);
    this.#objects.set(name, ref);
    return ref;
  }

  input(name: string): InputRef {
    const known = this.#inputs.get(name);
    if (known) return known;
    const ref = this.#builder.inputRef<Record<string, unknown>>(name);
    this.#inputs.set(name, ref);
    return ref;
  }

  /** The object type of that name, implemented on first use: types that nothing refers to stay out of the schema. */
  implementedObject(name: string, implement: (ref: ObjectRef) => void): ObjectRef {
    if (this.#objects.has(name)) return this.object(name);
    const ref = this.object(name);
    implement(ref);
    return ref;
  }

  /** The same for an input type. */
  implementedInput(name: string, implement: (ref: InputRef) => void): InputRef {
    if (this.#inputs.has(name)) return this.input(name);
    const ref = this.input(name);
    implement(ref);
    return ref;
  }

  /** A type of another kind: an enum, a union, a scalar. */
  once<Ref>(name: string, define: () => Ref): Ref {
    if (!this.#others.has(name)) this.#others.set(name, define());
    return this.#others.get(name) as Ref;
  }
}
