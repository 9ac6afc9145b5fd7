/** The table for projects with types that keep versions; their generated tables export it. */
import { sql } from "drizzle-orm";
import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../../schema/columns.ts";

/** Versions of documents as they were written or removed. `locale` is empty for types without locales. */
export const documentVersions = pgTable(
  "document_versions",
  {
    id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
    type: text("type").notNull(),
    /** The document may have been deleted. */
    documentId: text("document_id").notNull(),
    locale: text("locale").notNull(),
    /** `draft` or `published`. */
    status: text("status").notNull(),
    /** The change that made it; `found` for a version that existed before, or was written by other means. */
    action: text("action").notNull(),
    at: instant("at").notNull(),
    /** Who made the change; null for `found`. */
    caller: json("caller"),
    /** The attributes that differ from the previous version; null if unknown. */
    changed: json("changed"),
    /** The version that this change restored. */
    restored: integer("restored"),
    /** The values by attribute, and the system fields. Links are lists of ids. */
    content: json("content").notNull(),
  },
  (version) => [
    index("document_versions_document_id_idx").on(version.documentId, version.locale, version.status, version.id),
    index("document_versions_deleted_idx")
      .on(version.type, version.id)
      .where(sql`${version.action} = 'delete'`),
  ],
);
