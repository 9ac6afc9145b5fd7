import { isNotNull } from "drizzle-orm";
import {
  type AnyPgColumn,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { File, Json } from "../content-type.ts";

/** The columns of files. `size` is in kilobytes. */
export const fileColumns = () => ({
  id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
  documentId: text("document_id").notNull(),
  name: text("name").notNull(),
  alternativeText: text("alternative_text"),
  caption: text("caption"),
  focalPoint: json("focal_point").$type<Json>(),
  width: integer("width"),
  height: integer("height"),
  formats: json("formats").$type<File["formats"]>(),
  hash: text("hash").notNull(),
  ext: text("ext"),
  mime: text("mime").notNull(),
  size: doublePrecision("size").notNull(),
  url: text("url").notNull(),
  previewUrl: text("preview_url"),
  provider: text("provider").notNull(),
  providerMetadata: json("provider_metadata").$type<Json>(),
  createdAt: timestamp("created_at", { precision: 3, mode: "string" }).notNull(),
  updatedAt: timestamp("updated_at", { precision: 3, mode: "string" }).notNull(),
  publishedAt: timestamp("published_at", { precision: 3, mode: "string" }),
  /** The folder of an imported file, as names: no answer shows it, and it takes files along when they are exported. */
  folderPath: text("folder_path"),
});

/** The indexes of files. */
export const fileIndexes = (file: Readonly<Record<"documentId" | "folderPath", AnyPgColumn>>) => [
  uniqueIndex("files_document_id_key").on(file.documentId),
  index("files_folder_path_index").on(file.folderPath).where(isNotNull(file.folderPath)),
];

/** Uploaded files, without their content. */
export const files = pgTable("files", fileColumns(), fileIndexes);
