/** What the audit log records besides changes of documents and files. */
import type { Json } from "../schema/document.ts";

/** All actions of the audit log. What comes before the dot is their group. */
export const ACTS = [
  "login.succeed",
  "login.fail",
  "token.create",
  "token.update",
  "token.regenerate",
  "token.revoke",
  "role.create",
  "role.update",
  "role.delete",
  "permissions.change",
  "user.create",
  "user.update",
  "user.password",
  "user.invite",
  "user.delete",
  "document.delete",
  "file.delete",
  "file.move",
  "folder.create",
  "folder.update",
  "folder.delete",
  "webhook.create",
  "webhook.delete",
  "webhook.pause",
  "webhook.resume",
  "webhook.replay",
  "migration.apply",
  "migration.undo",
  "migration.replace",
  "migration.reset",
  "content.export",
  "content.import",
  "content.seed",
] as const;

/** Something that was done. It must contain no secrets. */
export interface Act {
  readonly action: (typeof ACTS)[number];
  /** What it was done to. */
  readonly subject?: { readonly type: string; readonly id: string; readonly name?: string | null } | undefined;
  readonly details?: Readonly<Record<string, Json>>;
}
