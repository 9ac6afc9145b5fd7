/** The rows of the `files` table, and files in the wire format. */
import { and, eq, gt } from "drizzle-orm";
import { instantOf, numberOf, requiredText } from "../database/column-values.ts";
import type { Database, Row, Session, Value } from "../database/database.ts";
import { runAgain } from "../database/run-again.ts";
import { builder, run } from "../database/statement.ts";
import { lockFileDeletion } from "../documents/links/locks.ts";
import type { File, Json } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { files } from "../schema/tables/files.ts";

/** A row in the wire format. */
export type FileRecord = File;
export type FormatRecords = NonNullable<File["formats"]>;

/** The values that an upload writes; the others are set by the database or later. */
export type NewFile = Omit<FileRecord, "id" | "previewUrl" | "provider_metadata" | "updatedAt" | "publishedAt">;

/** Changes of a row. */
export type FileChanges = Partial<Omit<NewFile, "documentId" | "createdAt">> & { readonly updatedAt: string };

const columns = {
  id: files.id,
  documentId: files.documentId,
  name: files.name,
  alternativeText: files.alternativeText,
  caption: files.caption,
  focalPoint: files.focalPoint,
  width: files.width,
  height: files.height,
  formats: files.formats,
  hash: files.hash,
  ext: files.ext,
  mime: files.mime,
  size: files.size,
  url: files.url,
  previewUrl: files.previewUrl,
  provider: files.provider,
  providerMetadata: files.providerMetadata,
  createdAt: files.createdAt,
  updatedAt: files.updatedAt,
  publishedAt: files.publishedAt,
};

const optionalText = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);
const optionalNumber = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);
const jsonOf = (value: Value | undefined): Json => (typeof value === "string" ? JSON.parse(value) : null);
const formatsOf = (value: Value | undefined): FormatRecords | null =>
  typeof value === "string" ? JSON.parse(value) : null;
const iso = (value: Value | undefined): string => instantOf(value)?.toISOString() ?? "";

const recordOf = (row: Row): FileRecord => ({
  id: numberOf(row[0]),
  documentId: requiredText(row[1]),
  name: requiredText(row[2]),
  alternativeText: optionalText(row[3]),
  caption: optionalText(row[4]),
  focalPoint: jsonOf(row[5]),
  width: optionalNumber(row[6]),
  height: optionalNumber(row[7]),
  formats: formatsOf(row[8]),
  hash: requiredText(row[9]),
  ext: optionalText(row[10]),
  mime: requiredText(row[11]),
  size: numberOf(row[12]),
  url: requiredText(row[13]),
  previewUrl: optionalText(row[14]),
  provider: requiredText(row[15]),
  provider_metadata: jsonOf(row[16]),
  createdAt: iso(row[17]),
  updatedAt: iso(row[18]),
  publishedAt: iso(row[19]),
});

const first = (rows: readonly Row[]): FileRecord | undefined => rows.map(recordOf)[0];

/** The columns have timestamps without a time zone. */
const instantText = (value: string): string => value.replace("Z", "");

export const findFile = async (session: Session, id: number): Promise<FileRecord | undefined> =>
  first(await run(session, builder.select(columns).from(files).where(eq(files.id, id))));

export const findFileByDocumentId = async (session: Session, documentId: string): Promise<FileRecord | undefined> =>
  first(await run(session, builder.select(columns).from(files).where(eq(files.documentId, documentId))));

/** All files by id, read in pages of 1000. */
export async function* allFiles(session: Session): AsyncIterable<FileRecord> {
  let after = 0;
  for (;;) {
    const page = builder.select(columns).from(files).where(gt(files.id, after)).orderBy(files.id).limit(1000);
    const records = (await run(session, page)).map(recordOf);
    yield* records;
    const last = records.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const insertion = (file: NewFile) => {
  const createdAt = instantText(file.createdAt);
  return builder.insert(files).values({ ...file, createdAt, updatedAt: createdAt, publishedAt: createdAt });
};

export const insertFile = async (session: Session, file: NewFile): Promise<FileRecord> => {
  const record = first(await run(session, insertion(file).returning(columns)));
  if (!record) throw new Error("A file was inserted, and no row came back.");
  return record;
};

/**
 * Whether a file's row was written by a transaction whose outcome is unknown. Inserting a second row with the same
 * documentId waits for that transaction to end.
 */
export const isRecorded = (database: Database, file: NewFile): Promise<boolean> =>
  database.transaction(async (session) => {
    const rows = await run(session, insertion(file).onConflictDoNothing().returning({ id: files.id }));
    if (rows.length === 0) return true;
    await run(session, builder.delete(files).where(eq(files.documentId, file.documentId)));
    return false;
  });

/** Changes a file; undefined if it does not exist, or (with `since`) has changed since then. */
export const updateFile = async (
  session: Session,
  id: number,
  changes: FileChanges,
  since?: string,
): Promise<FileRecord | undefined> => {
  const values = { ...changes, updatedAt: instantText(changes.updatedAt) };
  const isMeant = and(eq(files.id, id), since === undefined ? undefined : eq(files.updatedAt, instantText(since)));
  return first(await run(session, builder.update(files).set(values).where(isMeant).returning(columns)));
};

/**
 * Deletes a file's row, and all references to it; undefined if there is none.
 *
 * @throws RunAgainError when other requests kept adding the file to documents, ten times in a row
 */
export const deleteFileRow = (
  { database, registry }: { readonly database: Database; readonly registry: Registry },
  id: number,
): Promise<FileRecord | undefined> =>
  runAgain(() =>
    database.transaction(async (session) => {
      await lockFileDeletion(session, registry, id);
      return first(await run(session, builder.delete(files).where(eq(files.id, id)).returning(columns)));
    }),
  );

/** A file in the answers of the upload routes. */
export const wireFile = (file: FileRecord) => ({ ...file, isUrlSigned: false });

/** The key of an object. */
export const storageKey = ({ hash, ext }: { readonly hash: string; readonly ext: string | null }): string =>
  `${hash}${ext ?? ""}`;

/** The keys of the objects of a file: the original and its formats. */
export const keysOf = (file: Pick<FileRecord, "hash" | "ext" | "formats">): readonly string[] =>
  [file, ...Object.values(file.formats ?? {})].map(storageKey);
