/** The table of files in projects whose full-text searches read the texts of files: with an index for these. */
import { index, pgTable } from "drizzle-orm/pg-core";
import { fileWords } from "../../search/file-texts.ts";
import { searchIndexName } from "../../search/vector.ts";
import { fileColumns, fileIndexes } from "./files.ts";

/** Uploaded files, with an index over their alternative texts and captions. */
export const files = pgTable("files", fileColumns(), (file) => [
  ...fileIndexes(file),
  index(searchIndexName("files")).using("gin", fileWords([file.alternativeText, file.caption])),
]);
