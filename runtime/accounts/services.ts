/** What users, roles and tokens work with: a document service, since users and roles are documents, and more. */
import type { Background } from "../base/background.ts";
import type { OperationServices } from "../documents/operations/index.ts";
import type { Auth } from "./auth.ts";

export interface AccountServices extends OperationServices {
  readonly auth: Auth;
  readonly background: Background;
  /** Every action that may be granted. */
  readonly actions: ReadonlySet<string>;
}
