import type { Application } from "../app/application.ts";
import type { Registry } from "../http/services.ts";
import type { ComponentUid, Uid } from "./content-type.ts";

const isUid = (uid: string): uid is Uid => uid.includes("::");

/** Looks up content types and components of `application` by uid; an unknown uid throws. */
export const createRegistry = (application: Application): Registry => ({
  application,
  contentType(uid: Uid) {
    const module = application.contentTypes[uid];
    if (!module) throw new Error(`No content type has the uid "${uid}".`);
    return module.type;
  },
  component(uid: ComponentUid) {
    const module = application.components[uid];
    if (!module) throw new Error(`No component has the uid "${uid}".`);
    return module.component;
  },
  has: (uid) => isUid(uid) && Object.hasOwn(application.contentTypes, uid),
});
