/** The table of files in projects whose full-text searches read the texts of files: with the words of these. */
import type { SQL } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { fileWords } from "../../search/file-texts.ts";
import { searchIndex, wordsColumn } from "../../search/vector.ts";
import { fileColumns, fileIndexes } from "./files.ts";

const columns = {
  ...fileColumns(),
  ...wordsColumn((): SQL => fileWords([files.alternativeText, files.caption])),
};

/** Uploaded files, with the words of their alternative texts and captions. */
export const files = pgTable("files", columns, (file) => [...fileIndexes(file), searchIndex(file)]);
