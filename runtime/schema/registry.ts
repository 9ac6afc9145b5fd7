/** Declarations, looked up by uid. */
import type { Component, ComponentUid, ContentType, Uid } from "./content-type.ts";
import type { Declarations } from "./declarations.ts";
import { isUid } from "./uid.ts";
import { type UniquePlace, uniquePlacesOf } from "./unique-places.ts";
import type { Schema } from "./validation/members.ts";

/** Looks up declarations. Throws for unknown uids, which would be a bug of the caller. */
export interface Registry extends Declarations {
  contentType(uid: Uid): ContentType;
  component(uid: ComponentUid): Component;
  /** The validator for documents of a content type. */
  validator(uid: Uid): Schema;
  /** The validator for entries of a component. */
  componentValidator(uid: ComponentUid): Schema;
  /** The places of unique attributes within the components of a content type. */
  uniquePlaces(uid: Uid): readonly UniquePlace[];
  /** Whether there is a content type of this uid. */
  has(uid: string): uid is Uid;
}

/** Looks up content types and components by uid. */
export const createRegistry = ({ contentTypes, components }: Declarations): Registry => {
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
  const places = new Map<Uid, readonly UniquePlace[]>();
  return {
    contentTypes,
    components,
    contentType: (uid) => declared(uid).type,
    component: (uid) => declaredComponent(uid).component,
    validator: (uid) => declared(uid).validator,
    componentValidator: (uid) => declaredComponent(uid).validator,
    uniquePlaces(uid) {
      const known = places.get(uid) ?? uniquePlacesOf({ components }, declared(uid).type);
      places.set(uid, known);
      return known;
    },
    has: (uid): uid is Uid => isUid(uid) && Object.hasOwn(contentTypes, uid),
  };
};
