/** The rows of the `files` table, and files in the wire format. */
import { and, eq, gt, getTableColumns, type SQL, type SQLWrapper } from "drizzle-orm";
import { builder, type Database, run, selected, type Selected, type Session } from "../database/database.ts";
import { instantOf } from "../database/instants.ts";
import { runAgain } from "../database/transaction.ts";
import { lockFileDeletion } from "../documents/links/locks.ts";
import type { File } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { files } from "../schema/tables/files.ts";

/** A row in the wire format. */
export type FileRecord = File;
export type FormatRecords = NonNullable<File["formats"]>;

/** The values that an upload writes; the others are set by the database or later. */
export type NewFile = Omit<FileRecord, "id" | "previewUrl" | "provider_metadata" | "updatedAt" | "publishedAt">;

/** Changes of a row. */
export type FileChanges = Partial<Omit<NewFile, "documentId" | "createdAt">> & { readonly updatedAt: string };

const { folderPath: _folderPath, ...columns } = getTableColumns(files);

const iso = (text: string | null): string => instantOf(text)?.toISOString() ?? "";

const recordOf = ({ providerMetadata, createdAt, updatedAt, publishedAt, ...file }: Selected<typeof columns>) => ({
  ...file,
  provider_metadata: providerMetadata,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  publishedAt: iso(publishedAt),
});

/** Changes rows, and returns them as they are then. */
export const changeFiles = (session: Session, values: object, isMeant: SQL | undefined): Promise<FileRecord[]> =>
  filesOf(session, builder.update(files).set(values).where(isMeant).returning(columns));

/** Runs a query that selects or returns the columns of files. */
const filesOf = async (session: Session, query: SQLWrapper): Promise<FileRecord[]> =>
  (await selected(session, columns, query)).map(recordOf);

/** The columns have timestamps without a time zone. */
const instantText = (value: string): string => value.replace("Z", "");

export const findFile = async (session: Session, id: number): Promise<FileRecord | undefined> =>
  (await filesOf(session, builder.select(columns).from(files).where(eq(files.id, id))))[0];

export const findFileByDocumentId = async (session: Session, documentId: string): Promise<FileRecord | undefined> =>
  (await filesOf(session, builder.select(columns).from(files).where(eq(files.documentId, documentId))))[0];

/** All files by id, read in pages of 1000. */
export async function* allFiles(session: Session): AsyncIterable<FileRecord> {
  let after = 0;
  for (;;) {
    const page = builder.select(columns).from(files).where(gt(files.id, after)).orderBy(files.id).limit(1000);
    const records = await filesOf(session, page);
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
  const [record] = await filesOf(session, insertion(file).returning(columns));
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
  return (await changeFiles(session, values, isMeant))[0];
};

/**
 * Deletes a file's row, and all references to it; undefined if there is none.
 *
 * @param deleted runs in the transaction
 * @throws RunAgainError when other requests kept adding the file to documents, ten times in a row
 */
export const deleteFileRow = (
  { database, registry }: { readonly database: Database; readonly registry: Registry },
  id: number,
  deleted?: (session: Session, file: FileRecord) => Promise<unknown>,
): Promise<FileRecord | undefined> =>
  runAgain(() =>
    database.transaction(async (session) => {
      await lockFileDeletion(session, registry, id);
      const [file] = await filesOf(session, builder.delete(files).where(eq(files.id, id)).returning(columns));
      if (file) await deleted?.(session, file);
      return file;
    }),
  );

/** A file in the responses of the upload routes. */
export const wireFile = (file: FileRecord) => ({ ...file, isUrlSigned: false });

/** The key of an object. */
export const storageKey = ({ hash, ext }: { readonly hash: string; readonly ext: string | null }): string =>
  `${hash}${ext ?? ""}`;

/** The keys of the objects of a file: the original and its formats. */
export const keysOf = (file: Pick<FileRecord, "hash" | "ext" | "formats">): readonly string[] =>
  [file, ...Object.values(file.formats ?? {})].map(storageKey);
