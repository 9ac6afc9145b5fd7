/** What every part of one schema is built with. */
import type { Builder } from "../builder.ts";
import type { ContentOptions } from "../plugin/options.ts";
import type { ObjectOwner } from "../plugin/owner.ts";
import { Refs } from "./refs.ts";

export interface Scope extends ContentOptions {
  readonly builder: Builder;
  readonly refs: Refs;
  /** By the name of the object. */
  readonly owners: Map<string, ObjectOwner>;
}

/** By the builder, which generated code makes: each has one scope, as long as it lives. */
const scopes = new WeakMap<object, Scope>();

/** What declares the object of that name. */
export const ownerNamed = ({ owners }: Scope, name: string): ObjectOwner => {
  const owner = owners.get(name);
  if (!owner) throw new Error(`nothing declares ${name}`);
  return owner;
};

/** The scope of a builder's schema; the same one at every call. */
export const scopeOf = (builder: { readonly options: { readonly content?: ContentOptions } }): Scope => {
  const known = scopes.get(builder);
  if (known) return known;
  const { content } = builder.options;
  if (!content) throw new Error("the builder lacks the options of the content plugin");
  const whole = builder as Builder;
  const scope: Scope = { ...content, builder: whole, refs: new Refs(whole), owners: new Map() };
  scopes.set(builder, scope);
  return scope;
};
