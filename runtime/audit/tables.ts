/** The table of the audit log: part of the migrations of projects that have `audit` in their configuration. */
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../schema/columns.ts";
import type { Json } from "../schema/content-type.ts";

/** What was done, by whom. A trigger of its migration refuses to change rows, and to delete them but for retention. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    /** By the clock of the database. */
    at: instant("at").notNull(),
    /** Such as `token.create`. */
    action: text("action").notNull(),
    /** `user`, `token`, `public`, `code` or `command`. */
    byKind: text("by_kind").notNull(),
    /** The documentId of the user, the id of the token, or the command. */
    byId: text("by_id"),
    /** Who ran the command, and where. */
    byName: text("by_name"),
    /** The uid of a content type, or a word such as `token`. */
    subjectType: text("subject_type"),
    subjectId: text("subject_id"),
    /** Its name at that time. */
    subjectName: text("subject_name"),
    /** The address of the client. */
    address: text("address"),
    requestId: text("request_id"),
    details: json("details").$type<Json>().notNull(),
  },
  (entry) => [
    index("audit_log_at_idx").on(entry.at),
    index("audit_log_action_idx").on(entry.action, entry.id),
    index("audit_log_by_idx").on(entry.byId, entry.id),
    index("audit_log_subject_idx").on(entry.subjectId, entry.id),
  ],
);
