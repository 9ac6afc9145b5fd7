/** The table for projects with `media.folders` in their configuration; their generated tables export it. */
import { integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";

/** The folders of the media library, also empty ones. A file has the path of its folder. */
export const uploadFolders = pgTable(
  "upload_folders",
  {
    id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
    /** Made of names, such as `/Press/2026`; in a name, `/` is `%2F` and `%` is `%25`. */
    path: text("path").notNull(),
  },
  (folder) => [uniqueIndex("upload_folders_path_key").on(folder.path)],
);
