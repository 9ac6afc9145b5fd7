/**
 * The services that users, roles and tokens need. They include the document service, since users and roles are
 * documents.
 */
import type { Background } from "../base/background.ts";
import type { OperationServices } from "../documents/operations/index.ts";
import type { Auth } from "./auth.ts";

export interface AccountServices extends OperationServices {
  readonly auth: Auth;
  readonly background: Background;
  /** Every action that can be granted. */
  readonly actions: ReadonlySet<string>;
}
