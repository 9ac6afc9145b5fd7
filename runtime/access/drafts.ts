/** Drafts and publication take permissions of their own, unless `rest.drafts` is `find`. */
import type { Config } from "../config/config.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Caller } from "./caller.ts";

const may =
  (action: string) =>
  ({ rest }: Pick<Config, "rest">, caller: Pick<Caller, "can">, uid: Uid): boolean =>
    rest.drafts === "find" || caller.can(`${uid}.${action}`);

/** Whether answers show the caller drafts of a type, and tell what only drafts tell. */
export const mayReadDrafts = may("readDraft");
/** Whether what the caller writes may be published by it. */
export const mayPublish = may("publish");
/** Whether what the caller writes may take the published version away. */
export const mayUnpublish = may("unpublish");
