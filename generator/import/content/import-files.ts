/** Imports files: bytes while reading the archive, rows before anything links to them. */
import { Readable } from "node:stream";
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { StorageProvider } from "../../../runtime/base/storage.ts";
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import { typeOfName, isHarmless } from "../../../runtime/media/file-types.ts";
import type { Json } from "../../../runtime/schema/content-type.ts";
import { files } from "../../../runtime/schema/tables/files.ts";
import { isInt4 } from "../../../runtime/schema/validation/numbers.ts";
import { type ArchiveEntry, skipBody } from "./archive-entries.ts";
import type { Reserve } from "./build-batch.ts";
import { instantsOf, type StoredRow } from "./build-version.ts";
import type { FolderPaths } from "./folders.ts";
import type { Tally } from "./import-type.ts";
import { insertRows } from "./insert-rows.ts";
import type { Report } from "./report.ts";
import { storableJson, storableText } from "./storable-text.ts";

export const FILE = "plugin::upload.file";
const BATCH = 250;

/** Stores the bytes of a file under its old name. An existing file of the same size stays. */
export const storeBytes = async (
  storage: StorageProvider,
  key: string,
  { size, body }: Pick<ArchiveEntry, "size" | "body">,
): Promise<void> => {
  if ((await storage.stat(key))?.size === size) {
    return skipBody({ body });
  }
  const mime = typeOfName(key);
  await storage.put(key, Readable.from(body), { size, mime, attachment: !isHarmless(mime) });
};

const text = (value: unknown): string | null => (typeof value === "string" ? storableText(value) : null);
const whole = (value: unknown): number | null =>
  typeof value === "number" && isInt4(Math.round(value)) ? Math.round(value) : null;
const json = (value: unknown): Json => (isRecord(value) ? storableJson(JSON.parse(JSON.stringify(value))) : null);
export const objectKey = (object: Readonly<Record<string, unknown>>): string =>
  `${text(object["hash"]) ?? ""}${text(object["ext"]) ?? ""}`;

/** The stored files of the archive, by key. */
type Stored = ReadonlySet<string>;

interface Addressing {
  readonly storage: StorageProvider;
  readonly stored: Stored;
}

/** The new address of a file that is stored here; others keep their address. */
const addressed = ({ storage, stored }: Addressing, object: Readonly<Record<string, unknown>>): string => {
  const key = objectKey(object);
  return stored.has(key) ? storage.url(key) : (text(object["url"]) ?? "");
};

const formatsOf = (addressing: Addressing, formats: unknown): Json => {
  if (!isRecord(formats)) return null;
  const entries = Object.entries(formats).flatMap(([name, format]) =>
    isRecord(format) ? [[name, { ...format, url: addressed(addressing, format) }]] : [],
  );
  return json(Object.fromEntries(entries));
};

const rowOf = (
  { folders, ...addressing }: Addressing & { readonly folders: FolderPaths },
  id: number,
  documentId: string,
  data: Readonly<Record<string, unknown>>,
): StoredRow => {
  const { createdAt, updatedAt, publishedAt } = instantsOf(data);
  return {
    id,
    document_id: documentId,
    name: text(data["name"]) ?? objectKey(data),
    alternative_text: text(data["alternativeText"]),
    caption: text(data["caption"]),
    focal_point: json(data["focalPoint"]),
    width: whole(data["width"]),
    height: whole(data["height"]),
    formats: formatsOf(addressing, data["formats"]),
    hash: text(data["hash"]) ?? "",
    ext: text(data["ext"]),
    mime: text(data["mime"]) ?? typeOfName(objectKey(data)),
    size: typeof data["size"] === "number" ? data["size"] : Number(data["size"] ?? 0) || 0,
    url: addressed(addressing, data),
    preview_url: text(data["previewUrl"]),
    provider: addressing.stored.has(objectKey(data)) ? addressing.storage.name : (text(data["provider"]) ?? "local"),
    provider_metadata: json(data["provider_metadata"]),
    created_at: createdAt,
    updated_at: updatedAt,
    published_at: publishedAt,
    folder_path: folders(data["folderPath"]) ?? null,
  };
};

/** Reports a file whose folder is not in the export: it is imported without a folder. */
const remarkFolder = ({ report, folders }: FileImport, ref: number, path: unknown): void => {
  if (folders(path) !== undefined) return;
  report.add({
    weight: "lost",
    type: FILE,
    id: ref,
    reason: "its folder is not in the export, or the names to it are too long",
    value: path,
  });
};

export interface FileImport {
  readonly storage: StorageProvider;
  readonly report: Report;
  readonly folders: FolderPaths;
  /** The offset added to the source's ids; requested when there is something to write. */
  readonly offset: Reserve;
  /** Fetches bytes that the archive lacks; true if they are stored now. */
  readonly fetchObject: (key: string, url: string) => Promise<boolean>;
}

/** Every stored object of a file. */
export const objectsOf = (data: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] => {
  const formats = isRecord(data["formats"]) ? Object.values(data["formats"]).filter(isRecord) : [];
  return [data, ...formats];
};

/** The stored keys; missing ones are fetched or reported. */
const storedObjects = async (
  session: Session,
  { report, fetchObject }: FileImport,
  rows: readonly { readonly ref: number; readonly data: Readonly<Record<string, unknown>> }[],
): Promise<Stored> => {
  const keys = rows.flatMap(({ data }) => objectsOf(data).map(objectKey));
  const found = await session.rows("select key from cms_import.objects where key = any($1::text[])", [keys]);
  const stored = new Set(found.map(([key]) => requiredText(key)));
  for (const { ref, data } of rows) {
    for (const object of objectsOf(data)) {
      const key = objectKey(object);
      if (stored.has(key)) continue;
      if (await fetchObject(key, text(object["url"]) ?? "")) stored.add(key);
      else
        report.add({
          weight: "lost",
          type: FILE,
          id: ref,
          reason: "its bytes are not there: --files names where they are",
          value: key,
        });
    }
  }
  return stored;
};

/** Records the new ids of the files: those of existing files, or new ones. */
const assignIds = async (session: Session, { offset }: FileImport): Promise<void> => {
  await session.rows(
    `update cms_import.entities as entity set target_id = files.id
     from files where type = $1 and reason is null and files.document_id = entity.document_id`,
    [FILE],
  );
  const [absent] = await session.rows(
    "select 1 from cms_import.entities where type = $1 and reason is null and target_id is null limit 1",
    [FILE],
  );
  if (!absent) return;
  await session.rows(
    "update cms_import.entities set target_id = ref + $2::integer where type = $1 and reason is null and target_id is null",
    [FILE, await offset(session)],
  );
};

const FILES = `
  select ref, document_id, data, target_id, exists(select 1 from files where files.id = target_id)
  from cms_import.entities join cms_import.contents using (type, ref)
  where type = $1 and (reason is null or $3) and ref > $2 order by ref limit ${BATCH}`;

/** A staged row of a file. */
export interface StagedFile {
  readonly ref: number;
  readonly documentId: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Its id here, once it has one. */
  readonly id: number | null;
  readonly isPresent: boolean;
}

/** The rows of files, batch by batch. */
export async function* stagedFiles(
  session: Session,
  { withRefused }: { readonly withRefused: boolean },
): AsyncIterable<readonly StagedFile[]> {
  for (let after = 0; ;) {
    const rows = await session.rows(FILES, [FILE, after, withRefused]);
    if (rows.length === 0) return;
    yield rows.map(([ref, documentId, text, id, isPresent]) => {
      const data: unknown = JSON.parse(requiredText(text));
      return {
        ref: numberOf(ref),
        documentId: requiredText(documentId),
        data: isRecord(data) ? data : {},
        id: typeof id === "number" ? id : null,
        isPresent: isPresent === true,
      };
    });
    after = numberOf(rows.at(-1)?.[0]);
  }
}

/** Imports the rows of files. */
export const importFiles = async (session: Session, context: FileImport): Promise<Tally> => {
  const tally = { created: 0, present: 0 };
  await assignIds(session, context);
  for await (const batch of stagedFiles(session, { withRefused: false })) {
    const rows = batch.filter(({ isPresent }) => !isPresent);
    const stored = await storedObjects(session, context, rows);
    for (const { ref, data } of rows) remarkFolder(context, ref, data["folderPath"]);
    const addressing = { storage: context.storage, stored, folders: context.folders };
    await insertRows(
      session,
      files,
      rows.map(({ id, documentId, data }) => rowOf(addressing, numberOf(id), documentId, data)),
    );
    tally.created += rows.length;
    tally.present += batch.length - rows.length;
  }
  return tally;
};
