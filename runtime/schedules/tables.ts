/** The table for projects with scheduled types; their generated tables export it. */
import { sql } from "drizzle-orm";
import { index, integer, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../schema/columns.ts";

/** Pending schedules and, for a while, ended ones. `locale` is empty for types without locales. */
export const documentSchedules = pgTable(
  "document_schedules",
  {
    id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
    documentId: text("document_id").notNull(),
    type: text("type").notNull(),
    locale: text("locale").notNull(),
    /** `publish` or `unpublish`. */
    action: text("action").notNull(),
    at: instant("at").notNull(),
    /** The caller who scheduled it. */
    caller: json("caller").notNull(),
    /** The draft and the published version when it was scheduled: a change of either cancels the schedule. */
    draftId: integer("draft_id").notNull(),
    publishedAt: instant("published_at"),
    /** `waiting`, `done`, `cancelled` or `failed`. */
    state: text("state").notNull(),
    reason: text("reason"),
    attempts: integer("attempts").notNull(),
    retryAt: instant("retry_at"),
    endedAt: instant("ended_at"),
  },
  (schedule) => {
    const waits = sql`${schedule.state} = 'waiting'`;
    return [
      uniqueIndex("document_schedules_waiting_key")
        .on(schedule.documentId, schedule.locale, schedule.action)
        .where(waits),
      index("document_schedules_at_idx").on(schedule.at).where(waits),
      index("document_schedules_document_id_idx").on(schedule.documentId),
    ];
  },
);
