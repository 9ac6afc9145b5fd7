/** Who sends a request, and what they may do. */
import type { FieldLists } from "./field-lists.ts";
import type { RowAccess } from "./row-rules.ts";

/** Who sends a request: the public, a user, an API token, or the application itself. */
export interface Caller {
  /** Where the request comes from; known only if there is an audit log. */
  readonly origin?: { readonly address: string; readonly requestId: string | null };
  readonly kind: "public" | "user" | "token" | "system";
  /** The row id of the logged-in user. */
  readonly userId?: number;
  readonly userDocumentId?: string;
  readonly roleId?: number;
  /** The API token. */
  readonly tokenId?: number;
  /** The user's session, in refresh mode. */
  readonly sessionId?: string;
  /** Attributes that the caller may read and write, unless it may use all. Equal lists are the same object. */
  readonly fields?: FieldLists;
  /** The documents that the caller may act on, if its role has rules about that. */
  readonly rows?: RowAccess;
  /**
   * Whether the caller may do an action such as `api::article.article.find`. Callers with the same permissions may
   * share the function; its results never change, because the response cache distinguishes permissions by it.
   */
  can(action: string): boolean;
}

/** The caller that stands for code of the application itself: seeds, extensions, hooks. */
export const system: Caller = { kind: "system", can: () => true };

/** The application itself, acting on behalf of a caller whose row rules still apply. */
export const systemFor = ({ rows }: Caller): Caller => (rows ? { ...system, rows } : system);
