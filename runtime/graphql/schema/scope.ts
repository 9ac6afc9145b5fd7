/** What every part of one schema is built with. */
import type { Builder } from "../builder.ts";
import type { ComponentDeclaration, TypeDeclaration } from "../declaration.ts";
import type { ShadowCrud } from "../extension/shadow-crud.ts";
import type { Refs } from "./refs.ts";

export type GraphqlFormat = "entity" | "flat";

export interface Scope {
  readonly builder: Builder;
  readonly format: GraphqlFormat;
  readonly refs: Refs;
  /** What the application has switched off. */
  readonly shadow: ShadowCrud;
  /** By uid, in the order of the schema. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly components: ReadonlyMap<string, ComponentDeclaration>;
}
