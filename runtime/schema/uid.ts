/** Distinguishes the uids of content types from those of components. */
import type { Uid } from "./document.ts";

/** Whether a uid has the form of a content type's: those of components have no `::`. */
export const isUid = (uid: string): uid is Uid => uid.includes("::");
