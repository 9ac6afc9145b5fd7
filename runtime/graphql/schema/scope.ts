/** What every part of one schema is built with. */
import type { Builder } from "../builder.ts";
import type { ContentOptions } from "../plugin/options.ts";
import { Refs } from "./refs.ts";

export interface Scope extends ContentOptions {
  readonly builder: Builder;
  readonly refs: Refs;
}

/** By the builder, which generated code gets. */
const scopes = new WeakMap<object, Scope>();

/** The scope of a new schema. */
export const createScope = (builder: Builder, options: ContentOptions): Scope => {
  const scope = { ...options, builder, refs: new Refs(builder) };
  scopes.set(builder, scope);
  return scope;
};

/** The scope of the schema that a builder makes. */
export const scopeOf = (builder: object): Scope => {
  const scope = scopes.get(builder);
  if (!scope) throw new Error("the builder was not made for content");
  return scope;
};
