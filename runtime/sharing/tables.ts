/** The table for projects with `sharing` in their configuration; their generated tables export it. */
import { json, pgTable, text } from "drizzle-orm/pg-core";
import { columnIndex, instant, ofDocument } from "../schema/columns.ts";

/** Links that have neither expired nor been ended. They go with their document. `locale` is empty for types without. */
export const shareLinks = pgTable(
  "share_links",
  {
    id: text("id").primaryKey(),
    documentId: ofDocument("document_id"),
    locale: text("locale").notNull(),
    /** The caller who made it. */
    caller: json("caller").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (link) => [columnIndex(link.documentId)],
);
