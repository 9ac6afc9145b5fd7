/** The content types and components of a schema, which it looks up both while it is built and at runtime. */
import type { Attributes } from "../schema/attributes.ts";
import type { ComponentUid, ContentType, Uid } from "../schema/content-type.ts";
import type { OutputField } from "./builder.ts";

/** A content type or component, as a generated file declares it. */
export interface Declaration {
  /** The name of its object. */
  readonly name: string;
  readonly uid: Uid | ComponentUid;
  /** Undefined for a component. */
  readonly type: ContentType | undefined;
  /** The attributes in the descriptor. */
  readonly declared: Attributes;
  /** The fields that the generated file lists, by name; created once, while the schema is built. */
  readonly fields: () => ReadonlyMap<string, OutputField>;
}

export interface TypeDeclaration extends Declaration {
  readonly uid: Uid;
  readonly type: ContentType;
}

export const isType = (declaration: Declaration | undefined): declaration is TypeDeclaration =>
  declaration?.type !== undefined;

const demanded = <Item>(found: Item | undefined, key: string): Item => {
  if (found === undefined) throw new Error(`nothing declares ${key}`);
  return found;
};

/** Filled while the schema is built. */
export class Catalog {
  readonly #byName = new Map<string, Declaration>();
  readonly #byUid = new Map<string, Declaration>();

  add(declaration: Declaration): void {
    this.#byName.set(declaration.name, declaration);
    this.#byUid.set(declaration.uid, declaration);
  }

  /** All content types and components, in the order in which they were declared. */
  get all(): readonly Declaration[] {
    return [...this.#byName.values()];
  }

  /** Undefined if the schema has nothing of that name. */
  find(name: string): Declaration | undefined {
    return this.#byName.get(name);
  }

  /** Throws where nothing declares it. */
  named(name: string): Declaration {
    return demanded(this.find(name), name);
  }

  hasType(uid: string): boolean {
    return isType(this.#byUid.get(uid));
  }

  /** Throws where nothing declares it. */
  type(uid: string): TypeDeclaration {
    const found = this.#byUid.get(uid);
    return demanded(isType(found) ? found : undefined, uid);
  }

  /** Throws where nothing declares it. */
  component(uid: string): Declaration {
    return demanded(this.#byUid.get(uid), uid);
  }
}
