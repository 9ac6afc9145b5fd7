import type { Caller } from "../access/caller.ts";
import type { Services } from "../http/services.ts";

/** What a write works with. */
export type WriteServices = Pick<Services, "config" | "database" | "registry">;

/** Who writes, and where. */
export interface WriteContext {
  readonly services: WriteServices;
  readonly caller: Caller;
}

/** Which version of a document: `published` is also the only version of types without draft & publish. */
export type State = "draft" | "published";
