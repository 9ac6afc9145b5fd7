/** Exports files: their rows, and then their bytes. */
import { getTableColumns } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { isRecord } from "../../runtime/base/is-record.ts";
import { isKey, type StorageProvider } from "../../runtime/base/storage.ts";
import { numberOf, type Session, type Value } from "../../runtime/database/database.ts";
import { files } from "../../runtime/schema/tables/files.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import { type Data, instantOf, type StoredVersion } from "./entity-data.ts";
import type { Folders } from "./folders.ts";
import type { LineFiles } from "./line-files.ts";
import { FILE } from "./link-lines.ts";
import { batchesOf } from "./table-rows.ts";

const columns = getTableColumns(files);

/** Archive names that differ from the columns here. */
const NAMES: Readonly<Record<string, string>> = { providerMetadata: "provider_metadata" };

const valueOf = (column: PgColumn, value: Value): unknown => {
  if (value === null) return null;
  if (column.getSQLType() === "json") return JSON.parse(String(value));
  return column.getSQLType().startsWith("timestamp") ? instantOf(value) : value;
};

const dataOf = (row: StoredVersion, folders: Folders): Data => {
  const { id: _id, folderPath, ...own } = columns;
  const values = Object.entries(own).map(([name, column]): readonly [string, unknown] => [
    NAMES[name] ?? name,
    valueOf(column, row.get(column.name) ?? null),
  ]);
  return {
    ...Object.fromEntries(values),
    folderPath: folders.pathFor(row.get(folderPath.name) ?? null),
    locale: null,
  };
};

/** A stored object, and the archive's record of it. */
export interface Asset {
  readonly key: string;
  readonly metadata: string;
}

const keyOf = (object: Data): string => `${String(object["hash"] ?? "")}${String(object["ext"] ?? "")}`;

const assetsOf = (id: number, data: Data): readonly Asset[] => {
  const formats = isRecord(data["formats"]) ? Object.entries(data["formats"]) : [];
  return [
    { key: keyOf(data), metadata: JSON.stringify({ id, ...data }) },
    ...formats.flatMap(([type, format]) =>
      isRecord(format)
        ? [{ key: keyOf(format), metadata: JSON.stringify({ ...format, type, id, mainHash: data["hash"] }) }]
        : [],
    ),
  ];
};

/** Writes the rows of all files; returns the objects whose bytes are to be written. */
export const exportFiles = async (
  session: Session,
  lines: LineFiles,
  folders: Folders,
): Promise<ReadonlyMap<string, Asset>> => {
  const assets = new Map<string, Asset>();
  for await (const batch of batchesOf(session, files)) {
    for (const row of batch) {
      const id = numberOf(row.get(columns.id.name));
      const data = dataOf(row, folders);
      await lines.addEntity(FILE, id, data);
      const placed = folders.lineFor(id, row.get(columns.folderPath.name));
      if (placed !== undefined) await lines.add("links", placed);
      for (const asset of assetsOf(id, data)) if (isKey(asset.key)) assets.set(asset.key, asset);
    }
  }
  return assets;
};

/** Writes the bytes; returns the keys without any. */
export const exportAssets = async (
  archive: ArchiveWriter,
  storage: StorageProvider,
  assets: Iterable<Asset>,
): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const { key, metadata } of assets) {
    const info = await storage.stat(key);
    const body = info && (await storage.read(key));
    if (info === undefined || body === undefined) {
      missing.push(key);
      continue;
    }
    await archive.text(`assets/metadata/${key}.json`, metadata);
    await archive.stream(`assets/uploads/${key}`, info.size, body);
  }
  return missing;
};
