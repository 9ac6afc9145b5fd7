/** The shared state of building one schema, and references to its types. */
import type { FieldMap } from "@pothos/core";
import type { Builder, InputFields, InputMembers, InputRef, ObjectFields, ObjectRef } from "../builder.ts";
import type { Node } from "../context.ts";
import type { ShadowCrud } from "../extension/shadow-crud.ts";
import type { OperationScope } from "../operations/operations.ts";

export interface Scope extends OperationScope {
  readonly builder: Builder;
  readonly refs: Refs;
  /** What the application has disabled. */
  readonly shadow: ShadowCrud;
  /** Whether lists can be filtered by the entries of dynamic zones. */
  readonly filtersZones: boolean;
  /** Whether types are searched by full text that declare it. */
  readonly searches: boolean;
  /** Whether reads may name the locales to fall back to. */
  readonly fallsBack: boolean;
}

/** Scopes by builder, since generated code gets only the builder. */
const scopes = new WeakMap<object, Scope>();

/** The scope of a new schema. */
export const createScope = (builder: Builder, options: Omit<Scope, "builder" | "refs">): Scope => {
  const scope = { ...options, builder, refs: new Refs(builder) };
  scopes.set(builder, scope);
  return scope;
};

/** The scope of the schema that a builder creates. */
export const scopeOf = (builder: object): Scope => {
  const scope = scopes.get(builder);
  if (!scope) throw new Error("the builder was not made for content");
  return scope;
};

export class Refs {
  readonly #builder: Builder;
  readonly #refs = new Map<string, unknown>();
  /** The work that is being completed, and the work that waits for it. */
  readonly #incomplete: (() => void)[] = [];

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  /** The names of the types referred to so far. */
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
   * @param complete called with the reference once that exists, so that the type may refer to itself
   */
  once<Ref>(name: string, create: () => Ref, complete?: (ref: Ref) => void): Ref {
    if (!this.#refs.has(name)) {
      const ref = create();
      this.#refs.set(name, ref);
      if (complete) this.#complete(() => complete(ref));
    }
    return this.#refs.get(name) as Ref;
  }

  /** Completes referred types after the current one, not recursively: types may refer to one another in long chains. */
  #complete(work: () => void): void {
    this.#incomplete.push(work);
    if (this.#incomplete.length > 1) return;
    for (const next of this.#incomplete) next();
    this.#incomplete.length = 0;
  }
}
