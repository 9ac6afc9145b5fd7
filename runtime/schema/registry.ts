/** Declarations, looked up by uid. */
import type { Component, ComponentUid, ContentType, Uid } from "./content-type.ts";
import type { Declarations, DeclaredType } from "./declarations.ts";
import { isUid } from "./uid.ts";
import { type UniquePlace, uniquePlacesOf } from "./unique-places.ts";
import type { Schema } from "./validation/members.ts";

/** Looks up declarations. Throws for unknown uids, which would be a bug of the caller. */
export interface Registry extends Declarations {
  contentType(uid: Uid): ContentType;
  component(uid: ComponentUid): Component;
  /** What published documents of a content type have to satisfy. */
  validator(uid: Uid): Schema;
  /** What drafts have to satisfy. */
  draftValidator(uid: Uid): Schema;
  /** Whether application code has extended the validators of a content type. */
  isExtended(uid: Uid): boolean;
  /** The validator for entries of a component. */
  componentValidator(uid: ComponentUid): Schema;
  /** The places of unique attributes within the components of a content type. */
  uniquePlaces(uid: Uid): readonly UniquePlace[];
  /** Whether there is a content type of this uid. */
  has(uid: string): uid is Uid;
}

interface Validators {
  readonly publish: Schema;
  readonly draft: Schema;
}

/** Changes of the validators of a content type, by application code. */
export interface ValidatorChanges<Publish = Schema, Draft = Schema> {
  /** Returns what published documents have to satisfy, given what the schema file says. */
  publish?(schema: Publish): Schema;
  /** The same for drafts. */
  draft?(schema: Draft): Schema;
}

/** Declarations with what application code makes of them. */
export interface ExtendedDeclarations extends Declarations {
  readonly extensions?: Readonly<Record<string, { readonly validators?: ValidatorChanges } | undefined>>;
}

const validatorsOf = (
  { validator, draftValidator = validator }: DeclaredType,
  changes: ValidatorChanges = {},
): Validators => ({
  publish: changes.publish?.(validator) ?? validator,
  draft: changes.draft?.(draftValidator) ?? draftValidator,
});

/** Looks up content types and components by uid. */
export const createRegistry = ({ contentTypes, components, extensions = {} }: ExtendedDeclarations): Registry => {
  const declared = (uid: Uid) => {
    const found = contentTypes[uid];
    if (!found) throw new Error(`No content type has the uid "${uid}".`);
    return found;
  };
  const declaredComponent = (uid: ComponentUid) => {
    const found = components[uid];
    if (!found) throw new Error(`No component has the uid "${uid}".`);
    return found;
  };
  const known = new Map<Uid, Validators>();
  const validators = (uid: Uid): Validators => {
    let found = known.get(uid);
    if (!found) known.set(uid, (found = validatorsOf(declared(uid), extensions[uid]?.validators)));
    return found;
  };
  const places = new Map<Uid, readonly UniquePlace[]>();
  return {
    contentTypes,
    components,
    contentType: (uid) => declared(uid).type,
    component: (uid) => declaredComponent(uid).component,
    validator: (uid) => validators(uid).publish,
    draftValidator: (uid) => validators(uid).draft,
    isExtended: (uid) => extensions[uid]?.validators !== undefined,
    componentValidator: (uid) => declaredComponent(uid).validator,
    uniquePlaces(uid) {
      const known = places.get(uid) ?? uniquePlacesOf({ components }, declared(uid).type);
      places.set(uid, known);
      return known;
    },
    has: (uid): uid is Uid => isUid(uid) && Object.hasOwn(contentTypes, uid),
  };
};
