/** What generated code declares of content types and components, as far as the parts below the interfaces need it. */
import type { Component, ComponentUid, ContentType, Uid } from "./content-type.ts";
import type { Schema } from "./validation/members.ts";

/** A content type, and what its documents have to satisfy. */
export interface DeclaredType {
  readonly type: ContentType;
  readonly validator: Schema;
}

/** A component, and what its entries have to satisfy. */
export interface DeclaredComponent {
  readonly component: Component;
  readonly validator: Schema;
}

/** Everything that a project declares, by uid. */
export interface Declarations {
  readonly contentTypes: Readonly<Record<Uid, DeclaredType>>;
  readonly components: Readonly<Record<ComponentUid, DeclaredComponent>>;
}
