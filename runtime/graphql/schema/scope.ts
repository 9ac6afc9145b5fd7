/** What every part of one schema is built with. */
import type { Builder, InputRef, ObjectRef } from "../builder.ts";
import type { ComponentDeclaration, TypeDeclaration } from "../declaration.ts";
import type { ShadowCrud } from "../extension/shadow-crud.ts";
import type { Refs } from "./refs.ts";

export type GraphqlFormat = "entity" | "flat";

/**
 * Types by their declarations, each made when it is first referred to. Types refer to one another in circles; the
 * files that make them do not.
 */
export interface TypeMakers {
  readonly object: (declaration: TypeDeclaration) => ObjectRef;
  readonly input: (declaration: TypeDeclaration) => InputRef;
  /** Undefined for types that are found without a filter. */
  readonly filters: (declaration: TypeDeclaration) => InputRef | undefined;
  readonly componentObject: (declaration: ComponentDeclaration) => ObjectRef;
  readonly componentInput: (declaration: ComponentDeclaration) => InputRef;
  readonly componentFilters: (declaration: ComponentDeclaration) => InputRef;
}

export interface Scope {
  readonly builder: Builder;
  readonly format: GraphqlFormat;
  readonly refs: Refs;
  readonly make: TypeMakers;
  /** What the application has switched off. */
  readonly shadow: ShadowCrud;
  /** By uid, in the order of the schema. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly components: ReadonlyMap<string, ComponentDeclaration>;
}
