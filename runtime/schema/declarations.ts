/** The declarations of generated code for content types and components. */
import type { Component, ComponentUid, ContentType, Uid } from "./content-type.ts";
import type { Schema } from "./validation/members.ts";

/** A content type with its validator. */
export interface DeclaredType {
  readonly type: ContentType;
  /** What a published document must satisfy. */
  readonly validator: Schema;
  /** What a draft must satisfy; for types with drafts. */
  readonly draftValidator?: Schema;
}

/** A component with its validator. */
export interface DeclaredComponent {
  readonly component: Component;
  readonly validator: Schema;
}

/** Everything that a project declares, by uid. */
export interface Declarations {
  readonly contentTypes: Readonly<Record<Uid, DeclaredType>>;
  readonly components: Readonly<Record<ComponentUid, DeclaredComponent>>;
}
