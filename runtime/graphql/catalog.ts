/** What the schema calls the types of an application, and which of their attributes it has. */
import type { Attribute, Component, ContentType, Field } from "../schema/content-type.ts";

/** Attributes by name. */
export type Attributes = Readonly<Record<string, Attribute | Field>>;

/** A content type of the schema. */
export interface TypeDeclaration {
  /** Its name in the schema. */
  readonly name: string;
  readonly type: ContentType;
  /** Those that the schema has: names that are no GraphQL names are left to REST. */
  readonly attributes: () => Attributes;
}

/** A component of the schema. */
export interface ComponentDeclaration {
  readonly name: string;
  readonly component: Component;
  readonly attributes: () => Attributes;
}

const find = <Item>(items: ReadonlyMap<string, Item>, key: string): Item => {
  const found = items.get(key);
  if (found === undefined) throw new Error(`the schema has no ${key}`);
  return found;
};

/** Filled while the schema is built, and asked by its operations. */
export class Catalog {
  readonly #types = new Map<string, TypeDeclaration>();
  readonly #typesByUid = new Map<string, TypeDeclaration>();
  readonly #components = new Map<string, ComponentDeclaration>();
  readonly #componentsByUid = new Map<string, ComponentDeclaration>();

  addType(declaration: TypeDeclaration): void {
    this.#types.set(declaration.name, declaration);
    this.#typesByUid.set(declaration.type.uid, declaration);
  }

  addComponent(declaration: ComponentDeclaration): void {
    this.#components.set(declaration.name, declaration);
    this.#componentsByUid.set(declaration.component.uid, declaration);
  }

  /** In the order in which they were declared. */
  get types(): readonly TypeDeclaration[] {
    return [...this.#types.values()];
  }

  get components(): readonly ComponentDeclaration[] {
    return [...this.#components.values()];
  }

  /** Undefined where the schema has nothing of that name. */
  typeNamed(name: string): TypeDeclaration | undefined {
    return this.#types.get(name);
  }

  /** Throws where nothing declares it. */
  type(uid: string): TypeDeclaration {
    return find(this.#typesByUid, uid);
  }

  hasType(uid: string): boolean {
    return this.#typesByUid.has(uid);
  }

  component(uid: string): ComponentDeclaration {
    return find(this.#componentsByUid, uid);
  }
}
