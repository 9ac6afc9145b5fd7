/** What tells the uids of content types from those of components. */
import type { Uid } from "./document.ts";

/** Whether it is written like the uid of a content type: those of components have no `::`. */
export const isUid = (uid: string): uid is Uid => uid.includes("::");
