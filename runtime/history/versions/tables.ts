/** The table of a project with types that keep their versions: its generated tables export it. */
import { sql } from "drizzle-orm";
import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../../schema/columns.ts";

/** Versions of documents as they were written or taken away. `locale` is empty for types without locales. */
export const documentVersions = pgTable(
  "document_versions",
  {
    id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
    type: text("type").notNull(),
    /** The document may be gone. */
    documentId: text("document_id").notNull(),
    locale: text("locale").notNull(),
    /** `draft` or `published`. */
    status: text("status").notNull(),
    /** What was done: that of a change, or `found` for what was there before, or was written by other means. */
    action: text("action").notNull(),
    at: instant("at").notNull(),
    /** Who did it; null for what was found. */
    caller: json("caller"),
    /** The attributes that differ from the version before; null if that is not known. */
    changed: json("changed"),
    /** The version that was restored by it. */
    restored: integer("restored"),
    /** The values by attribute, and those that every document has. Links are lists of ids. */
    content: json("content").notNull(),
  },
  (version) => [
    index("document_versions_document_id_idx").on(version.documentId, version.locale, version.status, version.id),
    index("document_versions_deleted_idx")
      .on(version.type, version.id)
      .where(sql`${version.action} = 'delete'`),
  ],
);
