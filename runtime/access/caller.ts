/** Who sends a request, and what they may do. */
import type { FieldLists } from "./field-lists.ts";

/** Who sends a request: the public, a user, an API token, or the application itself. */
export interface Caller {
  readonly kind: "public" | "user" | "token" | "system";
  /** The id of the row of the logged-in user. */
  readonly userId?: number;
  readonly userDocumentId?: string;
  readonly roleId?: number;
  /** The session that the user is in, in refresh mode. */
  readonly sessionId?: string;
  /** Attributes that the caller may see and write, where that is less than all. The same object for the same lists. */
  readonly fields?: FieldLists;
  /** Whether the caller may do an action such as `api::article.article.find`. Decided from cached permissions. */
  can(action: string): boolean;
}

/** Code of the application itself: seeds, extensions, hooks. */
export const system: Caller = { kind: "system", can: () => true };
