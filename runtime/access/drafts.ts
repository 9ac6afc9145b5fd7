/** Permissions for drafts and publishing. With `rest.drafts: "find"` these need no permission of their own. */
import type { Config } from "../config/config.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Caller } from "./caller.ts";

const may =
  (action: string) =>
  ({ rest }: Pick<Config, "rest">, caller: Pick<Caller, "can">, uid: Uid): boolean =>
    rest.drafts === "find" || caller.can(`${uid}.${action}`);

/** Whether the caller may read drafts of a type, and information that comes only from drafts. */
export const mayReadDrafts = may("readDraft");
/** Whether the caller may publish documents of a type. */
export const mayPublish = may("publish");
/** Whether the caller may remove published versions. */
export const mayUnpublish = may("unpublish");
